package io.forewarn.records;

import io.forewarn.core.Actor;
import io.forewarn.core.event.EventId;
import io.forewarn.core.event.RolloutUnitId;
import io.forewarn.core.fleet.GroupId;
import io.forewarn.core.rollout.ActiveUnit;
import io.forewarn.core.rollout.RolloutUnit;
import io.forewarn.core.rollout.RolloutUnitChunk;
import io.forewarn.core.rollout.Turn;
import io.forewarn.core.rollout.UnitPostponement;
import io.forewarn.core.rollout.UnitRun;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/** The units of a rollout, and those that are under way. */
final class RolloutUnitsJson {
    private RolloutUnitsJson() {}

    static void write(JsonWriter out, RolloutUnitChunk chunk) throws IOException {
        out.text("rollout", chunk.rollout());
        out.number("chunk", chunk.chunk());
        out.openList("pieces");
        for (RolloutUnit unit : chunk.units()) {
            out.open();
            out.text("name", unit.name());
            out.constant("state", unit.state());
            out.blankable("why", unit.why());
            if (unit.turn() != null) {
                write(out, "turn", unit.turn());
            }
            if (unit.calledOff() != null) {
                write(out, "calledOff", unit.calledOff());
            }
            if (unit.run() != null) {
                write(out, unit.run());
            }
            out.close();
        }
        out.closeList();
    }

    private static void write(JsonWriter out, String name, Turn turn) throws IOException {
        out.open(name);
        out.instant("at", turn.at());
        if (turn.hasMoved()) {
            out.instant("first", turn.first());
        }
        if (!turn.due().equals(turn.at())) {
            out.instant("due", turn.due());
        }
        if (!turn.evacuations().isEmpty()) {
            out.texts("evacuations", turn.evacuations());
        }
        out.blankable("why", turn.why());
        if (turn.group() != null) {
            out.text("group", turn.group());
        }
        out.maybe("notice", turn.notice());
        if (!turn.leaving().isEmpty()) {
            out.texts("leaving", turn.leaving());
        }
        if (!turn.postponements().isEmpty()) {
            out.openList("postponements");
            for (UnitPostponement postponement : turn.postponements()) {
                out.open();
                out.text("tenant", postponement.tenant());
                out.constant("by", postponement.by());
                out.maybe("delay", postponement.delay());
                out.close();
            }
            out.closeList();
        }
        out.close();
    }

    private static void write(JsonWriter out, UnitRun run) throws IOException {
        out.open("run");
        out.maybe("shown", run.shown());
        out.instant("started", run.started());
        out.instant("ended", run.ended());
        out.close();
    }

    private static UnitRun run(JsonReader in) throws IOException {
        Instant shown = null;
        Instant started = null;
        Instant ended = null;
        in.open();
        for (String name = in.member(); name != null; name = in.member()) {
            switch (name) {
                case "shown" -> shown = in.instant();
                case "started" -> started = in.instant();
                case "ended" -> ended = in.instant();
                default -> in.skip();
            }
        }
        return new UnitRun(
                shown,
                DamagedRecordException.unlessNull(started, "started"),
                DamagedRecordException.unlessNull(ended, "ended"));
    }

    private static Turn turn(JsonReader in) throws IOException {
        Instant at = null;
        Instant first = null;
        Instant due = null;
        List<Instant> evacuations = List.of();
        String why = "";
        GroupId group = null;
        Duration notice = null;
        Map<String, Instant> leaving = Map.of();
        List<UnitPostponement> postponements = List.of();
        in.open();
        for (String name = in.member(); name != null; name = in.member()) {
            switch (name) {
                case "at" -> at = in.instant();
                case "first" -> first = in.instant();
                case "due" -> due = in.instant();
                case "evacuations" -> evacuations = in.list(JsonReader::instant);
                case "why" -> why = in.sharedText();
                case "group" -> group = in.groupId();
                case "notice" -> notice = in.duration();
                case "leaving" -> leaving = in.map(JsonReader::instant);
                case "postponements" -> postponements = in.list(RolloutUnitsJson::postponement);
                default -> in.skip();
            }
        }
        DamagedRecordException.unlessNull(at, "at");
        return new Turn(
                at,
                first == null ? at : first,
                due == null ? at : due,
                evacuations,
                why,
                group,
                notice,
                leaving,
                postponements);
    }

    private static UnitPostponement postponement(JsonReader in) throws IOException {
        String tenant = null;
        Actor.Kind by = null;
        Duration delay = null;
        in.open();
        for (String name = in.member(); name != null; name = in.member()) {
            switch (name) {
                case "tenant" -> tenant = in.sharedText();
                case "by" -> by = in.constant(Actor.Kind.class);
                case "delay" -> delay = in.duration();
                default -> in.skip();
            }
        }
        return new UnitPostponement(
                DamagedRecordException.unlessNull(tenant, "tenant"),
                DamagedRecordException.unlessNull(by, "by"),
                DamagedRecordException.unlessNull(delay, "delay"));
    }

    static RolloutUnitChunk readChunk(JsonReader in) throws IOException {
        String rollout = null;
        Integer chunk = null;
        List<RolloutUnit> units = List.of();
        for (String name = in.member(); name != null; name = in.member()) {
            switch (name) {
                case "rollout" -> rollout = in.sharedText();
                case "chunk" -> chunk = in.number();
                case "pieces" -> units = in.list(RolloutUnitsJson::unit);
                default -> in.skip();
            }
        }
        return new RolloutUnitChunk(
                DamagedRecordException.unlessNull(rollout, "rollout"),
                DamagedRecordException.unlessNull(chunk, "chunk"),
                units);
    }

    private static RolloutUnit unit(JsonReader in) throws IOException {
        String named = null;
        RolloutUnit.State state = null;
        String why = "";
        Turn turn = null;
        UnitRun run = null;
        Turn calledOff = null;
        in.open();
        for (String name = in.member(); name != null; name = in.member()) {
            switch (name) {
                case "name" -> named = in.text();
                case "state" -> state = in.constant(RolloutUnit.State.class);
                case "why" -> why = in.text();
                case "turn" -> turn = turn(in);
                case "run" -> run = run(in);
                case "calledOff" -> calledOff = turn(in);
                default -> in.skip();
            }
        }
        return new RolloutUnit(
                DamagedRecordException.unlessNull(named, "name"),
                DamagedRecordException.unlessNull(state, "state"),
                why,
                turn,
                run,
                calledOff);
    }

    static void write(JsonWriter out, ActiveUnit unit) throws IOException {
        RolloutUnitIdJson.write(out, unit.tie());
        out.flag("moves", unit.moves());
        out.maybe("started", unit.started());
        out.openList("parts");
        for (ActiveUnit.Part part : unit.parts()) {
            out.open();
            out.text("group", part.group());
            out.text("event", part.event());
            out.close();
        }
        out.closeList();
    }

    static ActiveUnit readOpen(JsonReader in) throws IOException {
        RolloutUnitId rolloutUnitId = null;
        boolean moves = false;
        Instant started = null;
        List<ActiveUnit.Part> parts = List.of();
        for (String name = in.member(); name != null; name = in.member()) {
            switch (name) {
                case "tie" -> rolloutUnitId = RolloutUnitIdJson.read(in);
                case "moves" -> moves = in.flag();
                case "started" -> started = in.instant();
                case "parts" -> parts = in.list(RolloutUnitsJson::part);
                default -> in.skip();
            }
        }
        return new ActiveUnit(DamagedRecordException.unlessNull(rolloutUnitId, "tie"), moves, parts, started);
    }

    private static ActiveUnit.Part part(JsonReader in) throws IOException {
        GroupId group = null;
        EventId event = null;
        in.open();
        for (String name = in.member(); name != null; name = in.member()) {
            switch (name) {
                case "group" -> group = in.groupId();
                case "event" -> event = EventJson.id(in);
                default -> in.skip();
            }
        }
        return new ActiveUnit.Part(
                DamagedRecordException.unlessNull(group, "group"), DamagedRecordException.unlessNull(event, "event"));
    }
}
