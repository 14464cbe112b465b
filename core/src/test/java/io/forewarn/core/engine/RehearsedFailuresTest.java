package io.forewarn.core.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.forewarn.core.Problem;
import io.forewarn.core.RefusedException;
import io.forewarn.core.event.Cause;
import io.forewarn.core.event.EventId;
import io.forewarn.core.event.Phase;
import io.forewarn.core.fleet.FleetSpec.MachineSpec;
import io.forewarn.core.rollout.RolloutTarget;
import io.forewarn.core.rules.Command;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Rehearsals of what goes before everything else go before nothing: they take neither room nor time from real work. */
class RehearsedFailuresTest extends RolloutFixture {
    /** As many open events as leave no room for rehearsals. */
    private static final int FULL = 90;

    private EventId rehearse(Cause cause, String machine) {
        Command command = new Command.Schedule(
                cause, List.of(EngineHarness.machine(machine)), null, null, true, EngineHarness.PERSON);
        return world.ask(command).events().get(0);
    }

    /** So many machines of web have broken down; w99 is fine, as is the spot machine s. */
    private void failed(int machines) {
        List<MachineSpec> all = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            all.add(machine(EngineHarness.WEB, "w" + i, 0, "host-" + i));
        }
        all.add(new MachineSpec(
                0, EngineHarness.machine("s"), EngineHarness.WEB, 0, 0, "host-s", List.of(), "", true, Map.of()));
        apply(1, all);
        world.poll(EngineHarness.WEB, "w99");
        for (int i = 0; i < machines; i++) {
            world.schedule(Cause.FAILURE, "w" + i);
        }
        assertEquals(machines, open(EngineHarness.WEB).size());
    }

    private static String machineFor(Cause cause) {
        return cause == Cause.PREEMPT ? "s" : "w98";
    }

    @ParameterizedTest
    @EnumSource(names = {"FAILURE", "PREEMPT", "RESTART"})
    void rehearsalsAreRefusedWhenAGroupHasManyOpenEvents(Cause cause) {
        failed(FULL);
        RefusedException refusal = assertThrows(RefusedException.class, () -> rehearse(cause, machineFor(cause)));
        assertEquals(Problem.LIMIT_EXCEEDED, refusal.problem());
        assertTrue(refusal.getMessage().contains("90 open events"), refusal.getMessage());
        assertEquals(FULL, open(EngineHarness.WEB).size());
    }

    @ParameterizedTest
    @EnumSource(names = {"FAILURE", "PREEMPT", "RESTART"})
    void theLastRehearsalForWhichThereIsRoomIsAccepted(Cause cause) {
        failed(FULL - 1);
        rehearse(cause, machineFor(cause));
        assertEquals(FULL, open(EngineHarness.WEB).size());
    }

    @ParameterizedTest
    @EnumSource(names = {"FAILURE", "PREEMPT", "RESTART"})
    void whatReallyHappensIsNotRefusedThen(Cause cause) {
        failed(FULL);
        world.schedule(cause, machineFor(cause));
        assertEquals(FULL + 1, open(EngineHarness.WEB).size());
    }

    @Test
    void aRehearsedFailureUnderWayDoesNotHoldAUnit() {
        world.durations.put(Cause.FAILURE, Duration.ofHours(2));
        webOnHosts(1);
        world.poll(EngineHarness.WEB, "w0");
        EventId failure = rehearse(Cause.FAILURE, "w0");
        assertEquals(Phase.STARTED, world.event(failure).orElseThrow().phase());
        Instant turn = world.now().plus(NOTICE);
        start(spec("os", RolloutTarget.Kind.HOSTS, "host-0"));
        assertEquals(turn, turn(0).at());
        passUntil(turn);
        assertEquals(1, rollout().started());
    }

    @Test
    void aRehearsedFailureThatBeginsBeforeItsNoticeDoesNotHoldAUnitEither() {
        world.durations.put(Cause.FAILURE, Duration.ofHours(2));
        webOnHosts(1);
        world.poll(EngineHarness.WEB, "w0");
        Instant turn = world.now().plus(Duration.ofHours(1));
        start(spec("os", RolloutTarget.Kind.HOSTS, "host-0").with(b -> b.at = turn));
        passUntil(turn.minus(Duration.ofMinutes(20)));
        rehearse(Cause.FAILURE, "w0");
        passUntil(turn);
        assertEquals(turn, turn(0).at());
        assertEquals(1, rollout().started());
    }
}
