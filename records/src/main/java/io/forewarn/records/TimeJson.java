package io.forewarn.records;

import io.forewarn.core.Uptime;
import io.forewarn.core.engine.DowntimeSpan;
import io.forewarn.core.engine.TimeMark;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** Reads and writes the last known service time. */
final class TimeJson {
    private TimeJson() {}

    static void write(JsonWriter out, TimeMark mark) throws IOException {
        out.instant("at", mark.at());
        out.instant("proven", mark.proven());
        if (!mark.uptime().equals(Uptime.UNKNOWN)) {
            out.text("boot", mark.uptime().boot());
            out.duration("up", mark.uptime().up());
        }
        if (mark.commit() > 0) {
            out.number("commit", mark.commit());
        }
        if (!mark.doubt().isZero()) {
            out.duration("doubt", mark.doubt());
        }
        if (!mark.downtime().isEmpty()) {
            out.openList("unreadable");
            for (DowntimeSpan span : mark.downtime()) {
                out.open();
                out.number("commit", span.commit());
                out.duration("length", span.length());
                out.close();
            }
            out.closeList();
        }
    }

    static TimeMark read(JsonReader in) throws IOException {
        Instant at = null;
        Instant proven = null;
        String boot = Uptime.UNKNOWN.boot();
        Duration up = Uptime.UNKNOWN.up();
        long commit = 0;
        Duration doubt = Duration.ZERO;
        List<DowntimeSpan> downtime = List.of();
        for (String name = in.member(); name != null; name = in.member()) {
            switch (name) {
                case "at" -> at = in.instant();
                case "proven" -> proven = in.instant();
                case "boot" -> boot = in.text();
                case "up" -> up = in.duration();
                case "commit" -> commit = in.bigNumber();
                case "doubt" -> doubt = in.duration();
                case "unreadable" -> downtime = in.list(TimeJson::span);
                default -> in.skip();
            }
        }
        return new TimeMark(
                DamagedRecordException.unlessNull(at, "at"),
                DamagedRecordException.unlessNull(proven, "proven"),
                new Uptime(boot, up),
                commit,
                doubt,
                downtime);
    }

    private static DowntimeSpan span(JsonReader in) throws IOException {
        long commit = 0;
        Duration length = null;
        in.open();
        for (String name = in.member(); name != null; name = in.member()) {
            switch (name) {
                case "commit" -> commit = in.bigNumber();
                case "length" -> length = in.duration();
                default -> in.skip();
            }
        }
        return new DowntimeSpan(commit, DamagedRecordException.unlessNull(length, "length"));
    }
}
