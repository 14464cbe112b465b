package io.forewarn.records;

import io.forewarn.core.rules.ManualClockRecord;
import java.io.IOException;
import java.time.Instant;

/** Reads and writes the time of the manual clock. */
final class ManualClockJson {
    private ManualClockJson() {}

    static void write(JsonWriter out, ManualClockRecord mark) throws IOException {
        out.instant("now", mark.now());
    }

    static ManualClockRecord read(JsonReader in) throws IOException {
        Instant now = null;
        for (String name = in.member(); name != null; name = in.member()) {
            switch (name) {
                case "now" -> now = in.instant();
                default -> in.skip();
            }
        }
        return new ManualClockRecord(DamagedRecordException.unlessNull(now, "now"));
    }
}
