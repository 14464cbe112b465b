package io.forewarn.core.engine;

import static io.forewarn.core.engine.EngineHarness.WEB;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.forewarn.core.event.Cause;
import io.forewarn.core.fleet.FleetSpec;
import io.forewarn.core.fleet.FleetSpec.GroupSpec;
import io.forewarn.core.fleet.GroupId;
import io.forewarn.core.fleet.GroupKind;
import io.forewarn.core.history.HistoryEntry;
import io.forewarn.core.policy.Blackout;
import io.forewarn.core.policy.Policy;
import io.forewarn.core.policy.Scope;
import io.forewarn.core.rollout.RolloutSpec;
import io.forewarn.core.rollout.RolloutTarget;
import io.forewarn.core.rollout.RolloutUnit;
import io.forewarn.core.rules.Command;
import io.forewarn.core.rules.FleetRules;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The date of the work on a host that is evacuated first is kept up to date while the evacuation is still to come, and told. */
class EvacuatedHostDatesTest extends RolloutFixture {
    private static final Duration DAYS = Duration.ofDays(2);
    private static final ZoneId UTC = ZoneId.of("UTC");

    private Instant evacuated;
    private Instant work;

    @BeforeEach
    void startARollout() {
        apply(
                3,
                List.of(
                        machine(WEB, "w0", 0, "host-1"),
                        machine(WEB, "w1", 1, "host-1"),
                        machine(DB, "vault", 0, "host-1")));
        world.poll(WEB, "w0");
        world.poll(DB, "vault");
        Instant at = world.now().plus(DAYS).plus(Duration.ofHours(12));
        start(spec("os", RolloutTarget.Kind.HOSTS, "host-1")
                .withEvacuation(true)
                .withNotice(DAYS)
                .between(at, at.plus(Duration.ofDays(10)), RolloutSpec.Late.REFUSE, UTC));
        evacuated = turn(0).next();
        work = turn(0).at();
        assertTrue(!work.isBefore(evacuated.plus(DAYS)), work + " after " + evacuated);
    }

    /** The owners of the machines that stay on the host close the time of the work. */
    private void blackout(Duration length) {
        LocalDateTime from = LocalDateTime.ofInstant(work.minus(Duration.ofHours(1)), ZoneOffset.UTC)
                .withSecond(0)
                .withNano(0);
        Policy policy = new Policy(
                new Scope(DB.tenant(), DB.name(), null),
                null,
                null,
                null,
                null,
                null,
                List.of(new Blackout(from, from.plus(length), UTC)),
                null,
                null,
                null,
                null);
        world.ask(new Command.SetPolicy(policy, EngineHarness.PERSON));
    }

    private List<HistoryEntry> told(String what, String machine) {
        return world.history.stream()
                .filter(entry -> entry.what().equals(what) && entry.machines().contains(machine))
                .toList();
    }

    private void showTheEvacuation() {
        passUntil(evacuated.minus(DAYS).plusSeconds(1));
        assertEquals(Cause.HOST_REDEPLOY, only(WEB).work().cause());
    }

    private void theWorkHasMovedByTwoHours() {
        assertEquals(evacuated, turn(0).next());
        assertTrue(turn(0).at().isAfter(work.plus(Duration.ofMinutes(50))), turn(0).toString());
        assertTrue(turn(0).why().startsWith("a blackout until"), turn(0).why());
        List<HistoryEntry> moves = told("ROLLOUT_MOVED", "vault");
        assertEquals(1, moves.size());
        assertEquals(turn(0).at(), moves.get(0).notBefore());
    }

    @Test
    void workWhoseTimeIsClosedMovesAtOnce() {
        blackout(Duration.ofHours(2));
        world.pass(Duration.ofSeconds(1));
        theWorkHasMovedByTwoHours();
    }

    @Test
    void alsoWhileTheEvacuationIsShown() {
        showTheEvacuation();
        blackout(Duration.ofHours(2));
        world.pass(Duration.ofSeconds(1));
        theWorkHasMovedByTwoHours();
    }

    @Test
    void nobodyIsMovedAwayForWorkThatIsTooLate() {
        showTheEvacuation();
        blackout(Duration.ofDays(20));
        world.pass(Duration.ofMinutes(10));
        assertEquals(RolloutUnit.State.PENDING, unit(0).state());
        assertTrue(open(WEB).isEmpty(), open(WEB).toString());
        assertEquals(1, told("ROLLOUT_CANCELLED", "vault").size());
        passUntil(evacuated.plus(Duration.ofHours(1)));
        assertTrue(world.running.isEmpty());
    }

    @Test
    void aThirdDomainThatComesMovesTheOthersAtOnce() {
        place(WEB, "w2", 2, "host-1");
        world.pass(Duration.ofSeconds(1));
        assertEquals(2, turn(0).evacuations().size());
        assertTrue(turn(0).at().isAfter(work), turn(0).toString());
        assertEquals(turn(0).at(), told("ROLLOUT_MOVED", "vault").get(0).notBefore());
        assertEquals(
                turn(0).evacuations().get(1), told("ROLLOUT_MOVED", "w1").get(0).notBefore());
    }

    @Test
    void whoeverChangesItsDomainIsToldItsOtherDate() {
        place(WEB, "w1", 2, "host-1");
        world.pass(Duration.ofSeconds(1));
        List<HistoryEntry> planned = told("ROLLOUT_PLANNED", "w1");
        assertEquals(2, planned.size(), "at the start, and then");
        assertTrue(
                planned.get(1).detail().contains(turn(0).next() + " w1"),
                planned.get(1).detail());
    }

    @Test
    void whoeverStaysAfterAllIsToldThat() {
        GroupId till = new GroupId("default", "till");
        GroupSpec group = new GroupSpec(0, till, GroupKind.AVAILABILITY_SET, 2, 2);
        FleetSpec fleet = new FleetSpec(
                List.of(group), List.of(machine(till, "t0", 0, "host-1"), machine(till, "t1", 1, "host-1")));
        world.ask(world.engine.change(facts -> FleetRules.apply(facts, fleet, false), EngineHarness.PERSON, null));
        world.pass(Duration.ofSeconds(1));
        assertTrue(turn(0).leaving().containsKey("default/till#1"), turn(0).toString());
        removeMachine("t0");
        world.pass(Duration.ofSeconds(1));
        List<HistoryEntry> stays = told("ROLLOUT_MOVED", "t1");
        assertEquals(1, stays.size());
        assertEquals(turn(0).at(), stays.get(0).notBefore());
        assertEquals(Cause.HOST_REBOOT, stays.get(0).cause());
    }

    @Test
    void whoeverComesWhileTheEvacuationIsShownIsToldTheDate() {
        showTheEvacuation();
        place(DB, "late", 0, "host-1");
        world.pass(Duration.ofSeconds(1));
        List<HistoryEntry> planned = told("ROLLOUT_PLANNED", "late");
        assertEquals(1, planned.size());
        assertTrue(
                planned.get(0).detail().contains(work.toString()),
                planned.get(0).detail());
    }
}
