package io.forewarn.core.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.forewarn.core.Problem;
import io.forewarn.core.RefusedException;
import io.forewarn.core.event.Cause;
import io.forewarn.core.event.Event;
import io.forewarn.core.event.EventId;
import io.forewarn.core.event.Phase;
import io.forewarn.core.fleet.FleetSpec.MachineSpec;
import io.forewarn.core.policy.Policy;
import io.forewarn.core.policy.Scope;
import io.forewarn.core.rollout.RolloutTarget;
import io.forewarn.core.rules.Command;
import io.forewarn.core.rules.DriverReport;
import io.forewarn.core.rules.MachineCondition;
import io.forewarn.core.rules.StartBlocker;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What a machine that has failed, or is failing, keeps from starting, and for how long. */
class FailedMachinesTest extends RolloutFixture {
    private static final Duration HOLD = Duration.ofDays(30);

    /** The restart of w1 fails at 12:16. */
    private Instant failedElsewhere() {
        webOnHosts(2);
        world.poll(EngineHarness.WEB, "w0");
        EventId restart = world.schedule(Cause.RESTART, "w1");
        world.pass(Duration.ofMinutes(16));
        world.running.clear();
        world.report(restart, DriverReport.FAILED);
        return world.now();
    }

    private MachineCondition.State state(String machine) {
        return world.engine.view().condition(EngineHarness.machine(machine)).state();
    }

    private boolean isApproved(EventId id) {
        return world.event(id).orElseThrow().isApproved();
    }

    private void approvedWhenAllAreDown() {
        Scope scope = new Scope("default", "web", null);
        Policy policy = new Policy(scope, null, null, true, null, null, null, null, null, null, null);
        world.ask(new Command.SetPolicy(policy, EngineHarness.PERSON));
    }

    /** Another policy has all events of the group looked at again. */
    private void lookedAtAgain() {
        Scope scope = new Scope("default", "web", null);
        Policy policy = new Policy(scope, NOTICE.multipliedBy(2), null, null, null, null, null, null, null, null, null);
        world.ask(new Command.SetPolicy(policy, EngineHarness.PERSON));
    }

    @Test
    void aMachineThatFailedInAnotherDomainHoldsAUnitForThirtyDays() {
        Instant until = failedElsewhere().plus(HOLD);
        world.pass(Duration.ofHours(3));
        start(spec("os", RolloutTarget.Kind.HOSTS, "host-0"));
        passUntil(until.minus(Duration.ofHours(1)));
        world.poll(EngineHarness.WEB, "w0");
        passUntil(until.minusSeconds(1));
        assertEquals(0, rollout().started());
        passUntil(until);
        assertEquals(1, rollout().started());
        assertEquals(MachineCondition.State.FAILED, state("w1"));
    }

    @Test
    void aMachineThatFailsAgainBeforeItRanHoldsAUnitNoLonger() {
        Instant until = failedElsewhere().plus(HOLD);
        start(spec("os", RolloutTarget.Kind.HOSTS, "host-0"));
        passUntil(until.minus(Duration.ofDays(1)));
        EventId again = world.schedule(Cause.RESTART, "w1");
        world.running.clear();
        world.report(again, DriverReport.FAILED);
        passUntil(until.minus(Duration.ofHours(1)));
        world.poll(EngineHarness.WEB, "w0");
        passUntil(until);
        assertEquals(1, rollout().started());
    }

    @Test
    void whatHoldsTheUnitIsLookedAtAgainWhenTheThirtyDaysAreOver() {
        Instant failed = failedElsewhere();
        start(spec("os", RolloutTarget.Kind.HOSTS, "host-0"));
        passUntil(turn(0).at().plusSeconds(1));
        Event held = only(EngineHarness.WEB);
        StartBlocker blocker = world.engine
                .rules()
                .blocker(world.engine.view(), EngineHarness.WEB, held, world.now())
                .orElseThrow();
        assertEquals(
                "w1 of another update domain is down, which holds others until 2026-03-31T12:16:00Z at the latest",
                blocker.why());
        assertEquals(failed.plus(HOLD), blocker.recheck());
        assertNull(blocker.until(), "it may be repaired before");
    }

    @Test
    void aMachineWhoseFailureIsBeingHandledDoesNotCountAsDownForItsApproval() {
        webOnHosts(2);
        world.poll(EngineHarness.WEB, "w0");
        EventId redeploy = world.schedule(Cause.REDEPLOY, "w1", Duration.ofHours(1));
        approvedWhenAllAreDown();
        EventId failure = world.schedule(Cause.FAILURE, "w1");
        assertEquals(MachineCondition.State.BROKEN_DOWN, state("w1"));
        assertFalse(isApproved(redeploy));
        lookedAtAgain();
        assertFalse(isApproved(redeploy));
        world.report(failure, DriverReport.DONE);
        assertEquals(MachineCondition.State.RUNNING, state("w1"));
        assertEquals(List.of("SCHEDULED"), world.steps(redeploy));
    }

    @Test
    void aMachineWhoseWorkFailedCountsAsDownForItsApproval() {
        webOnHosts(2);
        world.poll(EngineHarness.WEB, "w0");
        EventId redeploy = world.schedule(Cause.REDEPLOY, "w1", Duration.ofHours(1));
        approvedWhenAllAreDown();
        EventId failure = world.schedule(Cause.FAILURE, "w1");
        lookedAtAgain();
        world.report(failure, DriverReport.FAILED);
        assertEquals(List.of("SCHEDULED", "APPROVED", "STARTED_BY_APPROVAL"), world.steps(redeploy));
        assertEquals(MachineCondition.State.REDEPLOYING, state("w1"));
    }

    private static MachineSpec inFaultDomain(int faultDomain) {
        return new MachineSpec(
                0,
                EngineHarness.machine("w0"),
                EngineHarness.WEB,
                0,
                faultDomain,
                "host-0",
                List.of(),
                "",
                false,
                Map.of("env", "w0"));
    }

    @Test
    void theFaultDomainOfAMachineStaysAsItIsWhileARolloutWorksOnIt() {
        webOnHosts(1);
        world.poll(EngineHarness.WEB, "w0");
        start(spec("os", RolloutTarget.Kind.HOSTS, "host-0"));
        passUntil(turn(0).at());
        assertEquals(Phase.STARTED, only(EngineHarness.WEB).phase());
        RefusedException refusal = assertThrows(RefusedException.class, () -> place(inFaultDomain(1)));
        assertEquals(Problem.CONFLICT, refusal.problem());
        assertTrue(refusal.getMessage().contains("does not change its fault domain"), refusal.getMessage());
        place(inFaultDomain(0));
        done();
        place(inFaultDomain(1));
        assertEquals(1, faultDomain());
    }

    @Test
    void theFaultDomainOfAMachineMayChangeBeforeARolloutWorksOnIt() {
        webOnHosts(1);
        world.poll(EngineHarness.WEB, "w0");
        start(spec("os", RolloutTarget.Kind.HOSTS, "host-0"));
        Instant turn = turn(0).at();
        assertEquals(Phase.SCHEDULED, only(EngineHarness.WEB).phase());
        place(inFaultDomain(1));
        assertEquals(1, faultDomain());
        passUntil(turn);
        assertEquals(1, rollout().started());
    }

    @Test
    void theFaultDomainOfAMachineMayChangeWhileItsOwnerRestartsIt() {
        webOnHosts(1);
        EventId restart = world.schedule(Cause.RESTART, "w0");
        assertEquals(Phase.STARTED, world.event(restart).orElseThrow().phase());
        place(inFaultDomain(1));
        assertEquals(1, faultDomain());
    }

    private int faultDomain() {
        return world.engine
                .view()
                .machine(EngineHarness.machine("w0"))
                .orElseThrow()
                .faultDomain();
    }
}
