package io.forewarn.core.engine;

import io.forewarn.core.Actor;
import io.forewarn.core.RefusedException;
import io.forewarn.core.fleet.FleetChange;
import io.forewarn.core.rollout.PreparedRollout;
import io.forewarn.core.rollout.RolloutSpec;
import io.forewarn.core.rules.Command;
import io.forewarn.core.rules.Rules;
import io.forewarn.core.rules.StateReader;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/**
 * Computes fleet changes and rollouts on the caller's thread, to keep that work off the writer's. A refusal is audited and
 * thrown, unless the request carries an idempotency key: it may already have been carried out under that key, which only the
 * writer knows. Any thread.
 */
final class CommandPreparation {
    /** Of no fleet: what was worked out for it is worked out anew. */
    private static final long NO_VERSION = -1;

    private final PublishedState view;
    private final Rules rules;
    private final Clock clock;
    private final CommandQueues queues;

    CommandPreparation(PublishedState view, Rules rules, Clock clock, CommandQueues queues) {
        this.view = view;
        this.rules = rules;
        this.clock = clock;
        this.queues = queues;
    }

    /** @param keyed whether it carries an idempotency key */
    Command change(Function<StateReader, FleetChange> plan, Actor actor, boolean keyed) {
        try {
            return new Command.ChangeFleet(plan.apply(view), plan, actor);
        } catch (RefusedException refusal) {
            mustBeKeyed(keyed, "change fleet", refusal, actor);
            return new Command.ChangeFleet(
                    new FleetChange(NO_VERSION, List.of(), Set.of(), 0),
                    state -> {
                        throw refusal;
                    },
                    actor);
        }
    }

    /** @param keyed whether it carries an idempotency key */
    Command roll(RolloutSpec spec, Actor actor, boolean keyed) {
        try {
            return new Command.StartRollout(
                    spec, rules.prepare(view, spec, clock.now().wall()), actor);
        } catch (RefusedException refusal) {
            mustBeKeyed(keyed, "start rollout " + spec.name(), refusal, actor);
            return new Command.StartRollout(spec, new PreparedRollout(NO_VERSION, List.of(), null, Map.of()), actor);
        }
    }

    private void mustBeKeyed(boolean keyed, String asked, RefusedException refusal, Actor actor) {
        if (!keyed) {
            queues.denied(asked, refusal, actor);
            throw refusal;
        }
    }
}
