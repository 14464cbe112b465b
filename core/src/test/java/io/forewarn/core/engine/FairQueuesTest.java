package io.forewarn.core.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.forewarn.core.Actor;
import io.forewarn.core.event.Cause;
import io.forewarn.core.event.EventId;
import io.forewarn.core.fleet.FleetSpec;
import io.forewarn.core.fleet.FleetSpec.MachineSpec;
import io.forewarn.core.fleet.GroupId;
import io.forewarn.core.fleet.MachineId;
import io.forewarn.core.policy.Policy;
import io.forewarn.core.policy.Scope;
import io.forewarn.core.rollout.RolloutSpec;
import io.forewarn.core.rollout.RolloutTarget;
import io.forewarn.core.rules.Command;
import io.forewarn.core.rules.CommandResult;
import io.forewarn.core.rules.FleetRules;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Whoever waits for an answer is decided on soon, however much of the service's own work is due. */
class FairQueuesTest {
    private static final int MACHINES = 400;
    private static final GroupId LAST = new GroupId("default", "s" + (MACHINES - 1));

    private final EngineHarness world = EngineHarness.enabled();

    /** Single machines that all get an event which is due at the same moment. */
    private EventId manyDueAtOnce() {
        List<MachineSpec> machines = IntStream.range(0, MACHINES)
                .mapToObj(i -> new MachineSpec(
                        0,
                        new MachineId("default", "s" + i),
                        null,
                        null,
                        null,
                        "host-s" + i,
                        List.of(),
                        "",
                        false,
                        Map.of()))
                .toList();
        FleetSpec spec = new FleetSpec(List.of(), machines);
        world.ask(world.engine.change(facts -> FleetRules.apply(facts, spec, false), EngineHarness.PERSON, null));
        EventId last = null;
        for (int i = 0; i < MACHINES; i++) {
            world.poll(new GroupId("default", "s" + i), "s" + i);
            last = world.schedule(Cause.FREEZE, "s" + i, Duration.ofHours(1));
        }
        return last;
    }

    private long started() {
        return world.running.size();
    }

    @Test
    void anApprovalDoesNotWaitForAllDeadlinesThatAreDue() {
        manyDueAtOnce();
        EventId waiting = world.schedule(Cause.RESTART, "m0", Duration.ofHours(12));
        world.skip(Duration.ofHours(1));
        CompletableFuture<CommandResult> approval = world.engine.submit(
                new Command.Approve(EngineHarness.WEB, List.of(waiting), Actor.machine("default/m0", "127.0.0.1")));

        world.engine.turn(world.moment());

        assertTrue(approval.isDone());
        assertTrue(started() > 1 && started() < MACHINES / 2, () -> started() + " have started");
        world.turn();
        assertEquals(MACHINES + 1, started());
    }

    @Test
    void anApprovalDoesNotWaitForAllGroupsThatAPolicyConcerns() {
        EventId last = manyDueAtOnce();
        CompletableFuture<CommandResult> policy = world.engine.submit(new Command.SetPolicy(
                Policy.of(new Scope("default", null, null)).shownAhead(Duration.ofHours(2)), EngineHarness.PERSON));
        world.engine.turn(world.moment());
        CompletableFuture<CommandResult> approval = world.engine.submit(
                new Command.Approve(LAST, List.of(last), Actor.machine("default/" + LAST.name(), "127.0.0.1")));

        world.engine.turn(world.moment());

        assertTrue(approval.isDone());
        assertEquals(1, started());
        assertFalse(policy.isDone(), "all groups were looked at already");
        world.turn();
        assertTrue(policy.isDone());
    }

    @Test
    void unitsOfARolloutAreLookedAtInSlicesBetweenWhichOthersPass() {
        manyDueAtOnce();
        RolloutSpec.Builder later = new RolloutSpec.Builder(
                "os", Cause.HOST_REBOOT, new RolloutTarget(RolloutTarget.Kind.HOSTS, List.of("host-s*")));
        later.at = world.now().plus(Duration.ofDays(7));
        CompletableFuture<CommandResult> start = world.engine.roll(later.build(), EngineHarness.PERSON, null);
        while (!start.isDone()) {
            world.engine.turn(world.moment());
        }

        world.engine.turn(world.moment());

        assertFalse(world.engine.isIdle(), "all units were looked at in one turn");
        world.turn();
        assertTrue(world.engine.isIdle());
    }

    @Test
    void callersDoNotKeepDeadlinesWaiting() {
        manyDueAtOnce();
        world.skip(Duration.ofHours(1));
        for (int turn = 0; turn < MACHINES && started() < MACHINES; turn++) {
            for (int i = 0; i < 100; i++) {
                world.engine.submit(new Command.Cancel(new EventId(new UUID(1, i)), EngineHarness.PERSON));
            }
            world.engine.turn(world.moment());
        }
        assertEquals(MACHINES, started());
    }
}
