package io.forewarn.records;

import io.forewarn.core.fleet.MachineId;
import io.forewarn.core.rules.Condition;
import java.io.IOException;
import java.time.Instant;

/** How a machine is. */
final class ConditionJson {
    private ConditionJson() {}

    static void write(JsonOut out, Condition condition) throws IOException {
        out.text("machine", condition.machine());
        out.constant("state", condition.state());
        out.number("boots", condition.boots());
        out.maybe("since", condition.since());
        out.blankable("detail", condition.detail());
        out.maybe("redeployedAt", condition.redeployedAt());
        out.blankable("redeployedFrom", condition.redeployedFrom());
    }

    static Condition read(JsonIn in) throws IOException {
        MachineId machine = null;
        Condition.State state = null;
        Integer boots = null;
        Instant since = null;
        String detail = "";
        Instant redeployedAt = null;
        String redeployedFrom = "";
        for (String name = in.member(); name != null; name = in.member()) {
            switch (name) {
                case "machine" -> machine = in.machineId();
                case "state" -> state = in.constant(Condition.State.class);
                case "boots" -> boots = in.number();
                case "since" -> since = in.instant();
                case "detail" -> detail = in.sharedText();
                case "redeployedAt" -> redeployedAt = in.instant();
                case "redeployedFrom" -> redeployedFrom = in.sharedText();
                default -> in.skip();
            }
        }
        return new Condition(
                Damaged.unlessNull(machine, "machine"),
                Damaged.unlessNull(state, "state"),
                Damaged.unlessNull(boots, "boots"),
                since,
                detail,
                redeployedAt,
                redeployedFrom);
    }
}
