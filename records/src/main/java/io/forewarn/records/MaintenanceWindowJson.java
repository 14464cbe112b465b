package io.forewarn.records;

import io.forewarn.core.policy.MaintenanceWindow;
import java.io.IOException;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Reads and writes weekly maintenance windows. */
final class MaintenanceWindowJson {
    private MaintenanceWindowJson() {}

    static void write(JsonWriter out, List<MaintenanceWindow> windows) throws IOException {
        out.openList("windows");
        for (MaintenanceWindow window : windows) {
            out.open();
            out.texts("days", new TreeSet<>(window.days()));
            out.text("start", window.start());
            out.duration("length", window.length());
            out.text("zone", window.zone());
            out.close();
        }
        out.closeList();
    }

    static MaintenanceWindow read(JsonReader in) throws IOException {
        List<DayOfWeek> days = List.of();
        LocalTime start = null;
        Duration length = null;
        ZoneId zone = null;
        in.open();
        for (String name = in.member(); name != null; name = in.member()) {
            switch (name) {
                case "days" -> days = in.list(day -> day.constant(DayOfWeek.class));
                case "start" -> start = LocalTime.parse(in.text());
                case "length" -> length = in.duration();
                case "zone" -> zone = in.zone();
                default -> in.skip();
            }
        }
        return new MaintenanceWindow(
                Set.copyOf(days),
                DamagedRecordException.unlessNull(start, "start"),
                DamagedRecordException.unlessNull(length, "length"),
                DamagedRecordException.unlessNull(zone, "zone"));
    }
}
