package io.forewarn.core.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.forewarn.core.Actor;
import io.forewarn.core.Problem;
import io.forewarn.core.RefusedException;
import io.forewarn.core.event.Cause;
import io.forewarn.core.event.Event;
import io.forewarn.core.event.EventId;
import io.forewarn.core.event.Phase;
import io.forewarn.core.fleet.FleetSpec;
import io.forewarn.core.fleet.GroupId;
import io.forewarn.core.policy.Blackout;
import io.forewarn.core.policy.MaintenanceWindow;
import io.forewarn.core.policy.Policy;
import io.forewarn.core.policy.PostponementLimit;
import io.forewarn.core.policy.Scope;
import io.forewarn.core.rollout.Rollout;
import io.forewarn.core.rollout.RolloutPlan;
import io.forewarn.core.rollout.RolloutTarget;
import io.forewarn.core.rules.Command;
import io.forewarn.core.rules.FleetRules;
import io.forewarn.core.rules.ServiceTerms;
import io.forewarn.core.rules.StartBlocker;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** How long what one owner set keeps a host waiting that others share. */
class OwnerHoldsTest extends RolloutFixture {
    private static final Duration HOLD = Duration.ofDays(30);
    private static final Actor OWNER = Actor.owner("shop-team", "127.0.0.1");

    private void set(GroupId group, List<MaintenanceWindow> windows, Blackout blackout, Boolean seenByAll) {
        List<Blackout> blackouts = blackout == null ? null : List.of(blackout);
        Scope scope = new Scope(group.tenant(), group.name(), null);
        world.ask(new Command.SetPolicy(
                new Policy(scope, null, null, null, null, windows, blackouts, null, null, seenByAll, null), OWNER));
    }

    private void closedForMonths(GroupId group) {
        LocalDate today = LocalDate.ofInstant(world.now(), ZoneOffset.UTC);
        set(group, null, new Blackout(today, today.plusDays(300), ZoneOffset.UTC), null);
    }

    private Instant notBefore(GroupId group) {
        return only(group).noticePeriod().notBefore();
    }

    @Test
    void aUnitGoesOnWhenItsOwnersHaveHeldItLongEnough() {
        twoGroupsOnHosts(1);
        world.poll(EngineHarness.WEB, "w0");
        world.poll(DB, "d0");
        closedForMonths(DB);
        Instant until = world.now().plus(HOLD);
        RolloutPlan plan =
                world.engine.rules().plan(world.engine.view(), spec("os", RolloutTarget.Kind.HOSTS, "*"), world.now());
        assertEquals(until, plan.steps().get(0).starts());

        start(spec("os", RolloutTarget.Kind.HOSTS, "*"));
        assertEquals(until, turn(0).at());
        passUntil(until.minus(Duration.ofHours(1)));
        world.poll(EngineHarness.WEB, "w0");
        world.poll(DB, "d0");
        passUntil(until.minusSeconds(60));
        assertEquals(until, notBefore(DB));
        assertEquals(until, notBefore(EngineHarness.WEB), "all groups of a host start together");
        world.pass(Duration.ofSeconds(59));
        assertEquals(Phase.SCHEDULED, only(EngineHarness.WEB).phase());
        world.pass(Duration.ofSeconds(1));
        assertEquals(Phase.STARTED, only(EngineHarness.WEB).phase());
        assertEquals(Phase.STARTED, only(DB).phase());
    }

    @Test
    void allUnitsCountFromWhenTheRolloutIsAskedFor() {
        webOnHosts(2);
        world.poll(EngineHarness.WEB, "w0");
        closedForMonths(EngineHarness.WEB);
        Instant until = world.now().plus(HOLD);
        start(spec("os", RolloutTarget.Kind.HOSTS, "*"));
        assertEquals(until, turn(0).at());
        assertEquals(until.plus(Duration.ofMinutes(5)).plus(RECOVERY), turn(1).at(), "not another 30 days later");
        passUntil(until.minus(Duration.ofHours(1)));
        world.poll(EngineHarness.WEB, "w0");
        for (int unit = 0; unit < 2; unit++) {
            passUntil(turn(unit).at());
            assertEquals(1, world.running.size());
            done();
            world.poll(EngineHarness.WEB, "w" + unit);
        }
        assertEquals(Rollout.Status.DONE, rollout().status());
    }

    @Test
    void theReasonForWindowsThatNeverOverlapBlamesNoneOfTheOwnersAlone() {
        twoGroupsOnHosts(1);
        set(EngineHarness.WEB, List.of(daily(2)), null, null);
        set(DB, List.of(daily(20)), null, null);
        RolloutPlan plan =
                world.engine.rules().plan(world.engine.view(), spec("os", RolloutTarget.Kind.HOSTS, "*"), world.now());
        assertEquals(world.now().plus(HOLD), plan.steps().get(0).starts());
        assertEquals(
                "the windows of its groups have no time in common, and owners may hold work only until then",
                plan.steps().get(0).why());
    }

    @Test
    void windowsThatAreHardlyEverOpenDoNotHoldItLongerEither() {
        twoGroupsOnHosts(1);
        world.poll(EngineHarness.WEB, "w0");
        LocalDate today = LocalDate.ofInstant(world.now(), ZoneOffset.UTC);
        MaintenanceWindow minute =
                new MaintenanceWindow(Set.of(DayOfWeek.MONDAY), LocalTime.NOON, Duration.ofMinutes(1), ZoneOffset.UTC);
        set(DB, List.of(minute), new Blackout(today, today.plusDays(200), ZoneOffset.UTC), null);
        start(spec("os", RolloutTarget.Kind.HOSTS, "*"));
        assertEquals(world.now().plus(HOLD), turn(0).at());
    }

    @Test
    void howLongARequestClaimsToTakeMovesNobody() {
        world.takesAsLongAsIsSaid = false;
        twoGroupsOnHosts(1);
        world.poll(EngineHarness.WEB, "w0");
        world.poll(DB, "d0");
        start(spec("os", RolloutTarget.Kind.HOSTS, "*")
                .with(b -> b.at = world.now().plus(Duration.ofHours(1))));
        Instant turn = turn(0).at();
        passUntil(turn.minus(Duration.ofMinutes(10)));
        world.ask(new Command.Schedule(
                Cause.RESTART, List.of(EngineHarness.machine("d0")), null, null, Duration.ofDays(7), false, OWNER));
        passUntil(turn);
        assertEquals(turn.plus(Duration.ofMinutes(10)), turn(0).at(), "15 minutes of notice, and five for a restart");
    }

    @Test
    void aMachineThatArrivesLaterDoesNotRestartTheHostsUnit() {
        webOnHosts(1);
        world.poll(EngineHarness.WEB, "w0");
        closedForMonths(EngineHarness.WEB);
        closedForMonths(DB);
        start(spec("os", RolloutTarget.Kind.HOSTS, "*"));
        Instant until = turn(0).at();
        assertEquals(world.now().plus(HOLD), until);
        world.pass(HOLD.minus(Duration.ofHours(1)));
        world.poll(EngineHarness.WEB, "w0");
        passUntil(until.minus(NOTICE));
        assertEquals(until, notBefore(EngineHarness.WEB));
        FleetSpec late = new FleetSpec(List.of(), List.of(machine(DB, "late", 0, "host-0")));
        world.ask(world.engine.change(state -> FleetRules.apply(state, late, false), EngineHarness.PERSON, null));
        world.poll(DB, "late");
        assertEquals(until, notBefore(DB));
        world.pass(NOTICE);
        assertEquals(Phase.STARTED, only(DB).phase());
    }

    @Test
    void aMachineThatNeverLooksDoesNotHoldItLongerEither() {
        twoGroupsOnHosts(2);
        world.poll(EngineHarness.WEB, "w0");
        set(EngineHarness.WEB, null, null, true);
        start(spec("os", RolloutTarget.Kind.HOSTS, "host-0"));
        Event event = only(EngineHarness.WEB);
        Instant until = world.now().plus(HOLD);
        while (world.now().isBefore(until.minus(Duration.ofHours(12)))) {
            world.poll(EngineHarness.WEB, "w1");
            world.pass(Duration.ofHours(12));
        }
        passUntil(until.minusSeconds(60));
        assertEquals(Phase.SCHEDULED, only(EngineHarness.WEB).phase());
        List<String> why =
                world.engine.rules().blockers(world.engine.view(), EngineHarness.WEB, event, world.now()).stream()
                        .map(Object::toString)
                        .toList();
        assertTrue(why.toString().contains("not seen yet by w0"), why.toString());
        world.pass(Duration.ofSeconds(60));
        assertEquals(Phase.STARTED, only(EngineHarness.WEB).phase());
    }

    @Test
    void everythingThatAnEventWaitsForIsNamedThoughOneThingWouldBeEnough() {
        webOnHosts(2);
        world.poll(EngineHarness.WEB, "w0");
        start(spec("os", RolloutTarget.Kind.HOSTS, "host-0"));
        LocalDate today = LocalDate.ofInstant(world.now(), ZoneOffset.UTC);
        set(EngineHarness.WEB, null, new Blackout(today, today.plusDays(3), ZoneOffset.UTC), true);
        List<StartBlocker> why = world.engine
                .rules()
                .blockers(world.engine.view(), EngineHarness.WEB, only(EngineHarness.WEB), world.now());
        assertTrue(why.stream().anyMatch(b -> b.why().startsWith("a blackout")), why.toString());
        assertTrue(why.stream().anyMatch(b -> b.why().startsWith("not seen yet by w0")), why.toString());
    }

    private void mayPostpone(GroupId group, int times, Duration total) {
        Scope scope = new Scope(group.tenant(), group.name(), null);
        PostponementLimit limit = new PostponementLimit(times, total);
        world.ask(new Command.SetPolicy(
                new Policy(scope, null, null, null, null, null, null, limit, null, null, null), OWNER));
    }

    private RefusedException refusedPostponement(GroupId group) {
        Command postpone = new Command.Postpone(null, only(group).id(), null, Duration.ofHours(1), OWNER);
        return assertThrows(RefusedException.class, () -> world.ask(postpone));
    }

    @Test
    void whatOneTenantPostponesOnAHostCountsTogether() {
        twoGroupsOnHosts(1);
        world.poll(EngineHarness.WEB, "w0");
        world.poll(DB, "d0");
        mayPostpone(EngineHarness.WEB, 1, Duration.ofDays(7));
        mayPostpone(DB, 1, Duration.ofDays(7));
        start(spec("os", RolloutTarget.Kind.HOSTS, "*"));
        world.ask(new Command.Postpone(null, only(EngineHarness.WEB).id(), null, Duration.ofDays(7), OWNER));
        assertEquals(Problem.CONFLICT, refusedPostponement(DB).problem());
    }

    @Test
    void aNewEventOfTheUnitBringsNoNewAllowance() {
        twoGroupsOnHosts(1);
        place(EngineHarness.WEB, "more", 0, "host-0");
        world.poll(EngineHarness.WEB, "w0");
        mayPostpone(EngineHarness.WEB, 1, Duration.ofHours(1));
        start(spec("os", RolloutTarget.Kind.HOSTS, "*"));
        EventId first = only(EngineHarness.WEB).id();
        world.ask(new Command.Postpone(null, first, null, Duration.ofHours(1), OWNER));
        place(EngineHarness.WEB, "more", 0, "host-9");
        assertNotEquals(first, only(EngineHarness.WEB).id());
        assertEquals(Problem.CONFLICT, refusedPostponement(EngineHarness.WEB).problem());
    }

    @Test
    void nobodyWaitsUntilAGroupThatHasFallenSilentHasSeenAnEvent() {
        twoGroupsOnHosts(1);
        world.poll(EngineHarness.WEB, "w0");
        world.poll(DB, "d0");
        set(DB, null, null, true);
        Instant silent = world.now().plus(ServiceTerms.AZURE.silence());
        start(spec("os", RolloutTarget.Kind.HOSTS, "*"));
        passUntil(silent.minusSeconds(1));
        assertTrue(world.running.isEmpty());
        world.pass(Duration.ofSeconds(1));
        assertEquals(1, world.running.size());
    }
}
