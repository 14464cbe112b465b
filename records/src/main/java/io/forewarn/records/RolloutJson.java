package io.forewarn.records;

import io.forewarn.core.RefusedException;
import io.forewarn.core.event.Cause;
import io.forewarn.core.policy.MaintenanceWindow;
import io.forewarn.core.rollout.ConcurrencyLimit;
import io.forewarn.core.rollout.Rollout;
import io.forewarn.core.rollout.RolloutSpec;
import io.forewarn.core.rollout.RolloutTarget;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;

/** Reads and writes rollouts. */
final class RolloutJson {
    private static final ZoneId UTC = ZoneId.of("UTC");

    private RolloutJson() {}

    static void write(JsonWriter out, Rollout rollout) throws IOException {
        write(out, rollout.spec());
        out.constant("status", rollout.status());
        out.instant("createdAt", rollout.createdAt());
        out.maybe("endedAt", rollout.endedAt());
        out.number("pieces", rollout.units());
        out.number("open", rollout.open());
        if (rollout.started() > 0) {
            out.number("started", rollout.started());
        }
        out.number("done", rollout.done());
        out.number("failed", rollout.failed());
        if (rollout.skipped() > 0) {
            out.number("skipped", rollout.skipped());
        }
        out.blankable("why", rollout.why());
        out.flag("marks", rollout.marks());
        out.maybe("plannedEnd", rollout.plannedEnd());
        out.maybe("replanning", rollout.replanning());
    }

    private static void write(JsonWriter out, RolloutSpec spec) throws IOException {
        out.open("spec");
        out.text("name", spec.name());
        out.constant("cause", spec.cause());
        out.open("target");
        out.constant("kind", spec.target().kind());
        out.texts("names", spec.target().names());
        out.texts("exclude", spec.target().exclude());
        out.texts("tenants", spec.target().tenants());
        out.texts("exceptTenants", spec.target().exceptTenants());
        out.close();
        out.maybe("notice", spec.notice());
        out.maybe("recovery", spec.recovery());
        out.open("atOnce");
        out.constant("kind", spec.atOnce().kind());
        out.number("number", spec.atOnce().number());
        out.close();
        if (!spec.windows().isEmpty()) {
            MaintenanceWindowJson.write(out, spec.windows());
        }
        out.flag("passes", spec.evacuate());
        out.flag("drill", spec.rehearsal());
        out.maybe("selfServiceUntil", spec.selfServiceUntil());
        out.maybe("description", spec.description());
        out.maybe("interruption", spec.interruption());
        out.maybe("at", spec.at());
        out.maybe("until", spec.until());
        if (spec.late() != RolloutSpec.Late.REFUSE) {
            out.constant("late", spec.late());
        }
        if (!spec.zone().equals(UTC)) {
            out.text("zone", spec.zone().getId());
        }
        out.close();
    }

    static Rollout read(JsonReader in) throws IOException {
        try {
            return rollout(in);
        } catch (DateTimeException | RefusedException impossible) {
            throw new DamagedRecordException(impossible.getMessage());
        }
    }

    private static Rollout rollout(JsonReader in) throws IOException {
        RolloutSpec spec = null;
        Rollout.Status status = null;
        Instant createdAt = null;
        Instant endedAt = null;
        int units = 0;
        int open = 0;
        int started = 0;
        int done = 0;
        int failed = 0;
        int skipped = 0;
        String why = "";
        boolean marks = false;
        Instant plannedEnd = null;
        Instant replanning = null;
        for (String name = in.member(); name != null; name = in.member()) {
            switch (name) {
                case "spec" -> spec = spec(in);
                case "status" -> status = in.constant(Rollout.Status.class);
                case "createdAt" -> createdAt = in.instant();
                case "endedAt" -> endedAt = in.instant();
                case "pieces" -> units = in.number();
                case "open" -> open = in.number();
                case "started" -> started = in.number();
                case "done" -> done = in.number();
                case "failed" -> failed = in.number();
                case "skipped" -> skipped = in.number();
                case "why" -> why = in.text();
                case "marks" -> marks = in.flag();
                case "plannedEnd" -> plannedEnd = in.instant();
                case "replanning" -> replanning = in.instant();
                default -> in.skip();
            }
        }
        return new Rollout(
                DamagedRecordException.unlessNull(spec, "spec"),
                DamagedRecordException.unlessNull(status, "status"),
                DamagedRecordException.unlessNull(createdAt, "createdAt"),
                endedAt,
                units,
                open,
                started,
                done,
                failed,
                skipped,
                why,
                marks,
                plannedEnd,
                replanning);
    }

    private static RolloutSpec spec(JsonReader in) throws IOException {
        String rollout = null;
        Cause cause = null;
        RolloutTarget target = null;
        Duration notice = null;
        Duration recovery = null;
        ConcurrencyLimit atOnce = null;
        List<MaintenanceWindow> windows = List.of();
        boolean evacuate = false;
        boolean rehearsal = false;
        Instant selfServiceUntil = null;
        String description = null;
        Duration interruption = null;
        Instant at = null;
        Instant until = null;
        RolloutSpec.Late late = RolloutSpec.Late.REFUSE;
        ZoneId zone = UTC;
        in.open();
        for (String name = in.member(); name != null; name = in.member()) {
            switch (name) {
                case "name" -> rollout = in.text();
                case "cause" -> cause = in.constant(Cause.class);
                case "target" -> target = target(in);
                case "notice" -> notice = in.duration();
                case "recovery" -> recovery = in.duration();
                case "atOnce" -> atOnce = atOnce(in);
                case "windows" -> windows = in.list(MaintenanceWindowJson::read);
                case "passes" -> evacuate = in.flag();
                case "drill" -> rehearsal = in.flag();
                case "selfServiceUntil" -> selfServiceUntil = in.instant();
                case "description" -> description = in.text();
                case "interruption" -> interruption = in.duration();
                case "at" -> at = in.instant();
                case "until" -> until = in.instant();
                case "late" -> late = in.constant(RolloutSpec.Late.class);
                case "zone" -> zone = in.zone();
                default -> in.skip();
            }
        }
        return new RolloutSpec(
                DamagedRecordException.unlessNull(rollout, "name"),
                DamagedRecordException.unlessNull(cause, "cause"),
                DamagedRecordException.unlessNull(target, "target"),
                notice,
                recovery,
                DamagedRecordException.unlessNull(atOnce, "atOnce"),
                windows,
                evacuate,
                rehearsal,
                selfServiceUntil,
                description,
                interruption,
                at,
                until,
                late,
                zone);
    }

    private static RolloutTarget target(JsonReader in) throws IOException {
        RolloutTarget.Kind kind = null;
        List<String> names = List.of();
        List<String> exclude = List.of();
        List<String> tenants = List.of();
        List<String> exceptTenants = List.of();
        in.open();
        for (String name = in.member(); name != null; name = in.member()) {
            switch (name) {
                case "kind" -> kind = in.constant(RolloutTarget.Kind.class);
                case "names" -> names = in.list(JsonReader::text);
                case "exclude" -> exclude = in.list(JsonReader::text);
                case "tenants" -> tenants = in.list(JsonReader::text);
                case "exceptTenants" -> exceptTenants = in.list(JsonReader::text);
                default -> in.skip();
            }
        }
        return new RolloutTarget(
                DamagedRecordException.unlessNull(kind, "kind"), names, exclude, tenants, exceptTenants);
    }

    private static ConcurrencyLimit atOnce(JsonReader in) throws IOException {
        ConcurrencyLimit.Kind kind = null;
        int number = 0;
        in.open();
        for (String name = in.member(); name != null; name = in.member()) {
            switch (name) {
                case "kind" -> kind = in.constant(ConcurrencyLimit.Kind.class);
                case "number" -> number = in.number();
                default -> in.skip();
            }
        }
        return new ConcurrencyLimit(DamagedRecordException.unlessNull(kind, "kind"), number);
    }
}
