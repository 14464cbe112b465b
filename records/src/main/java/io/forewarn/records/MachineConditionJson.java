package io.forewarn.records;

import io.forewarn.core.fleet.MachineId;
import io.forewarn.core.rules.MachineCondition;
import java.io.IOException;
import java.time.Instant;

/** Reads and writes the condition of a machine. */
final class MachineConditionJson {
    private MachineConditionJson() {}

    static void write(JsonWriter out, MachineCondition condition) throws IOException {
        out.text("machine", condition.machine());
        out.constant("state", condition.state());
        out.number("boots", condition.boots());
        out.maybe("since", condition.since());
        out.blankable("detail", condition.detail());
        MachineCondition.Move move = condition.move();
        if (move != null) {
            // The first two members are the oldest and have kept their meaning.
            out.maybe("redeployedAt", move.ended());
            out.blankable("redeployedFrom", move.from());
            out.maybe("redeployBegan", move.began().equals(move.ended()) ? null : move.began());
            out.blankable("redeployedBy", move.rollout());
            if (move.placement() != 0) {
                out.number("redeployedPlacement", move.placement());
            }
        }
        if (condition.mark() != null) {
            out.text("workedOnBy", condition.mark().rollout());
            out.instant("workedOnAt", condition.mark().at());
        }
        if (condition.rehearsed() != null) {
            out.text("rehearsedBy", condition.rehearsed().rollout());
            out.instant("rehearsedAt", condition.rehearsed().at());
        }
        out.maybe("arrivedAt", condition.arrived());
        // Of one that is down because work failed, since says it.
        out.maybe("failedAt", condition.state() == MachineCondition.State.FAILED ? null : condition.failedAt());
    }

    static MachineCondition read(JsonReader in) throws IOException {
        MachineId machine = null;
        MachineCondition.State state = null;
        Integer boots = null;
        Instant since = null;
        String detail = "";
        Instant redeployedAt = null;
        String redeployedFrom = "";
        Instant redeployBegan = null;
        String redeployedBy = "";
        int redeployedPlacement = 0;
        String workedOnBy = null;
        Instant workedOnAt = null;
        String rehearsedBy = null;
        Instant rehearsedAt = null;
        Instant arrivedAt = null;
        Instant failedAt = null;
        for (String name = in.member(); name != null; name = in.member()) {
            switch (name) {
                case "machine" -> machine = in.machineId();
                case "state" -> state = in.constant(MachineCondition.State.class);
                case "boots" -> boots = in.number();
                case "since" -> since = in.instant();
                case "detail" -> detail = in.sharedText();
                case "redeployedAt" -> redeployedAt = in.instant();
                case "redeployedFrom" -> redeployedFrom = in.sharedText();
                case "redeployBegan" -> redeployBegan = in.instant();
                case "redeployedBy" -> redeployedBy = in.sharedText();
                case "redeployedPlacement" -> redeployedPlacement = in.number();
                case "workedOnBy" -> workedOnBy = in.sharedText();
                case "workedOnAt" -> workedOnAt = in.instant();
                case "rehearsedBy" -> rehearsedBy = in.sharedText();
                case "rehearsedAt" -> rehearsedAt = in.instant();
                case "arrivedAt" -> arrivedAt = in.instant();
                case "failedAt" -> failedAt = in.instant();
                default -> in.skip();
            }
        }
        Instant began = redeployBegan == null ? redeployedAt : redeployBegan;
        return new MachineCondition(
                DamagedRecordException.unlessNull(machine, "machine"),
                DamagedRecordException.unlessNull(state, "state"),
                DamagedRecordException.unlessNull(boots, "boots"),
                since,
                detail,
                began == null
                        ? null
                        : new MachineCondition.Move(
                                redeployedFrom, redeployedPlacement, began, redeployedAt, redeployedBy),
                mark(workedOnBy, workedOnAt),
                mark(rehearsedBy, rehearsedAt),
                arrivedAt,
                state == MachineCondition.State.FAILED ? since : failedAt);
    }

    private static MachineCondition.RolloutMark mark(String rollout, Instant at) {
        return rollout == null || at == null ? null : new MachineCondition.RolloutMark(rollout, at);
    }
}
