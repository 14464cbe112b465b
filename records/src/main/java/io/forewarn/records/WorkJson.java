package io.forewarn.records;

import io.forewarn.core.event.Cause;
import io.forewarn.core.event.RolloutUnitId;
import io.forewarn.core.event.Work;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** Reads and writes the maintenance work behind an event. */
final class WorkJson {
    private WorkJson() {}

    static void write(JsonWriter out, Work work) throws IOException {
        out.open("work");
        out.constant("cause", work.cause());
        out.texts("resources", work.resources());
        out.number("updateDomain", work.updateDomain());
        out.duration("notice", work.notice());
        out.blankable("description", work.description());
        out.maybe("interruption", work.interruption());
        out.instant("acceptedAt", work.acceptedAt());
        if (work.unit() != null) {
            RolloutUnitIdJson.write(out, work.unit());
        }
        out.flag("drill", work.rehearsal());
        out.close();
    }

    static Work read(JsonReader in) throws IOException {
        Cause cause = null;
        List<String> resources = List.of();
        Integer updateDomain = null;
        Duration notice = null;
        String description = "";
        Duration interruption = null;
        Instant acceptedAt = null;
        RolloutUnitId rolloutUnitId = null;
        boolean rehearsal = false;
        in.open();
        for (String name = in.member(); name != null; name = in.member()) {
            switch (name) {
                case "cause" -> cause = in.constant(Cause.class);
                case "resources" -> resources = in.list(JsonReader::text);
                case "updateDomain" -> updateDomain = in.number();
                case "notice" -> notice = in.duration();
                case "description" -> description = in.sharedText();
                case "interruption" -> interruption = in.duration();
                case "acceptedAt" -> acceptedAt = in.instant();
                case "tie" -> rolloutUnitId = RolloutUnitIdJson.read(in);
                case "drill" -> rehearsal = in.flag();
                default -> in.skip();
            }
        }
        return new Work(
                DamagedRecordException.unlessNull(cause, "cause"),
                resources,
                DamagedRecordException.unlessNull(updateDomain, "updateDomain"),
                DamagedRecordException.unlessNull(notice, "notice"),
                description,
                interruption,
                DamagedRecordException.unlessNull(acceptedAt, "acceptedAt"),
                rolloutUnitId,
                rehearsal);
    }
}
