package io.forewarn.store.etcd;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.etcd.jetcd.ByteSequence;
import io.forewarn.core.engine.CommitFeed.Beat;
import io.forewarn.core.engine.StoreException;
import io.forewarn.core.engine.StoreException.Kind;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Encodes and decodes the writer's heartbeat. */
final class HeartbeatCodec {
    private static final Pattern TEXT = Pattern.compile("writer=(\\d{1,18}) at=(\\S{1,40})");

    private HeartbeatCodec() {}

    static ByteSequence print(Beat beat) {
        return EtcdKeys.of("writer=" + beat.epoch() + " at=" + beat.time());
    }

    static Beat parse(ByteSequence value) throws StoreException {
        String text = value.toString(UTF_8);
        Matcher matcher = TEXT.matcher(text);
        try {
            if (matcher.matches()) {
                return new Beat(Instant.parse(matcher.group(2)), Long.parseLong(matcher.group(1)));
            }
        } catch (DateTimeParseException wrong) {
            // Reported below, like any other wrong text.
        }
        throw new StoreException(
                Kind.UNREADABLE, "the time in etcd is '" + text + "', which no release of Forewarn wrote");
    }
}
