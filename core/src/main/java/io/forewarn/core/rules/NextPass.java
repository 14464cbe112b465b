package io.forewarn.core.rules;

import io.forewarn.core.event.Cause;
import io.forewarn.core.event.RolloutUnitId;
import io.forewarn.core.rollout.AffectedMachines;
import io.forewarn.core.rollout.Rollout;
import java.util.List;

/**
 * What a unit does next, as the fleet is now.
 *
 * @param touched the machines to which it does it
 * @param moves whether it moves machines off the host, instead of the work of its rollout
 */
record NextPass(List<AffectedMachines> touched, Cause cause, boolean moves) {
    static NextPass of(StateReader facts, Rollout rollout, RolloutUnitId id) {
        List<AffectedMachines> all = affected(facts, rollout, id);
        List<AffectedMachines> moving = new EvacuationOrder(facts, rollout).first(id, all);
        boolean moves = rollout.spec().evacuate() && !moving.isEmpty();
        return new NextPass(
                moves ? moving : all,
                moves ? Cause.HOST_REDEPLOY : rollout.spec().cause(),
                moves);
    }

    /** The machines that a unit affects now. */
    static List<AffectedMachines> affected(StateReader facts, Rollout rollout, RolloutUnitId id) {
        return new RolloutPartitioner(facts, rollout.spec())
                .of(UpcomingUnits.unit(facts, id).name(), rollout);
    }

    static Rollout rollout(StateReader facts, RolloutUnitId id) {
        return facts.rollout(id.rollout()).orElseThrow();
    }
}
