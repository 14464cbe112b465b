package io.forewarn.records;

import io.forewarn.core.Uptime;
import io.forewarn.core.engine.TimeMark;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;

/** Spells what time the service knew it was. */
final class TimeJson {
    private TimeJson() {}

    static void write(JsonWriter out, TimeMark mark) throws IOException {
        out.instant("at", mark.at());
        out.instant("proven", mark.proven());
        if (!mark.uptime().equals(Uptime.UNKNOWN)) {
            out.text("boot", mark.uptime().boot());
            out.duration("up", mark.uptime().up());
        }
    }

    static TimeMark read(JsonReader in) throws IOException {
        Instant at = null;
        Instant proven = null;
        String boot = Uptime.UNKNOWN.boot();
        Duration up = Uptime.UNKNOWN.up();
        for (String name = in.member(); name != null; name = in.member()) {
            switch (name) {
                case "at" -> at = in.instant();
                case "proven" -> proven = in.instant();
                case "boot" -> boot = in.text();
                case "up" -> up = in.duration();
                default -> in.skip();
            }
        }
        return new TimeMark(
                DamagedRecordException.unlessNull(at, "at"),
                DamagedRecordException.unlessNull(proven, "proven"),
                new Uptime(boot, up));
    }
}
