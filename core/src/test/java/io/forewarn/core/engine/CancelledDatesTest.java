package io.forewarn.core.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.forewarn.core.Problem;
import io.forewarn.core.RefusedException;
import io.forewarn.core.event.EventId;
import io.forewarn.core.fleet.FleetSpec.MachineSpec;
import io.forewarn.core.history.HistoryEntry;
import io.forewarn.core.policy.Policy;
import io.forewarn.core.policy.Scope;
import io.forewarn.core.rollout.ConcurrencyLimit;
import io.forewarn.core.rollout.Rollout.Status;
import io.forewarn.core.rollout.RolloutSpec;
import io.forewarn.core.rollout.RolloutTarget;
import io.forewarn.core.rules.Command;
import io.forewarn.core.rules.DriverReport;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Owners who were told a date are told if nothing comes of it. */
class CancelledDatesTest extends RolloutFixture {
    private List<List<String>> cancelled() {
        return world.history.stream()
                .filter(entry -> entry.what().equals(HistoryEntry.What.ROLLOUT_CANCELLED.name()))
                .map(entry -> entry.machines().stream().sorted().toList())
                .toList();
    }

    private void startLater(RolloutSpec spec) {
        start(spec.with(b -> b.at = world.now().plus(Duration.ofHours(2))));
    }

    @Test
    void anAbortIsToldToOwnersWhoseMachinesWereShownNothingYet() {
        webOnHosts(3);
        world.poll(EngineHarness.WEB, "w0");
        startLater(spec("os", RolloutTarget.Kind.HOSTS, "*"));
        passUntil(turn(0).at().minus(NOTICE));
        assertEquals(1, world.shown().size());
        world.ask(new Command.AbortRollout("os", EngineHarness.PERSON));
        assertEquals(List.of(List.of("w1", "w2")), cancelled(), "w0 reads that its event is cancelled");
    }

    @Test
    void soIsAMoveToAHostThatTheRolloutDoesNotWorkOn() {
        webOnHosts(3);
        startLater(spec("os", RolloutTarget.Kind.HOSTS, "host-0", "host-1"));
        place(EngineHarness.WEB, "w0", 0, "host-1");
        assertEquals(List.of(), cancelled(), "it has the date of its new host");
        place(EngineHarness.WEB, "w1", 1, "host-9");
        assertEquals(List.of(List.of("w1")), cancelled());
    }

    @Test
    void soIsATagThatIsTakenAway() {
        webOnHosts(2);
        startLater(spec("os", RolloutTarget.Kind.TAG, "env=w0"));
        place(machine(EngineHarness.WEB, "w1", 1, "host-1"));
        assertEquals(List.of(), cancelled());
        place(new MachineSpec(
                0,
                EngineHarness.machine("w0"),
                EngineHarness.WEB,
                0,
                0,
                "host-0",
                List.of(),
                "",
                false,
                Map.of("env", "other")));
        assertEquals(List.of(List.of("w0")), cancelled());
    }

    @Test
    void aResumeAfterWhichAUnitIsTooLateIsRefusedAsAWhole() {
        apply(1, List.of(machine(EngineHarness.WEB, "w", 0, "host-0"), machine(DB, "d", 0, "host-1")));
        world.poll(EngineHarness.WEB, "w");
        world.poll(DB, "d");
        start(hosts(new ConcurrencyLimit(ConcurrencyLimit.Kind.COUNT, 1))
                .with(b -> b.until = world.now().plus(Duration.ofMinutes(45))));
        passUntil(turn(0).at().plus(Duration.ofMinutes(3)));
        EventId work = world.running.keySet().iterator().next();
        world.running.clear();
        world.report(work, DriverReport.FAILED);
        assertEquals(Status.HALTED, rollout().status());
        world.ask(new Command.SetPolicy(
                new Policy(
                        new Scope("default", "db", null),
                        Duration.ofMinutes(30),
                        null,
                        null,
                        null,
                        null,
                        null,
                        null,
                        null,
                        null,
                        null),
                EngineHarness.PERSON));
        long told = world.history.size();
        RefusedException refusal = assertThrows(
                RefusedException.class, () -> world.ask(new Command.ResumeRollout("os", true, EngineHarness.PERSON)));
        assertEquals(Problem.CONFLICT, refusal.problem());
        assertTrue(refusal.getMessage().contains("host-1 cannot start by"), refusal.getMessage());
        assertEquals(Status.HALTED, rollout().status());
        assertEquals(1, rollout().failed(), "it can still be retried");
        assertEquals(told, world.history.size());
    }
}
