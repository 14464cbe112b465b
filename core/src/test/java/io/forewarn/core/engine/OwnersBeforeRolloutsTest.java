package io.forewarn.core.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.forewarn.core.Problem;
import io.forewarn.core.RefusedException;
import io.forewarn.core.event.Cause;
import io.forewarn.core.event.Event;
import io.forewarn.core.event.EventId;
import io.forewarn.core.event.EventType;
import io.forewarn.core.event.Phase;
import io.forewarn.core.fleet.FleetSpec.MachineSpec;
import io.forewarn.core.fleet.GroupId;
import io.forewarn.core.policy.MaintenanceWindow;
import io.forewarn.core.policy.Policy;
import io.forewarn.core.policy.Scope;
import io.forewarn.core.rollout.ConcurrencyLimit;
import io.forewarn.core.rollout.Rollout.Status;
import io.forewarn.core.rollout.RolloutSpec;
import io.forewarn.core.rollout.RolloutTarget;
import io.forewarn.core.rules.Command;
import io.forewarn.core.rules.DriverReport;
import io.forewarn.core.rules.MachineCondition;
import io.forewarn.core.rules.ServiceTerms;
import io.forewarn.core.rules.StartBlocker;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Events of rollouts block nobody, and nobody blocks a rollout for long: contract §5. */
class OwnersBeforeRolloutsTest extends RolloutFixture {
    private Phase phase(EventId id) {
        return world.event(id).map(Event::phase).orElse(Phase.ENDED);
    }

    private Event ofTheRollout(GroupId group) {
        return open(group).stream()
                .filter(e -> e.work().unit() != null)
                .findFirst()
                .orElseThrow();
    }

    private void approve(Event event) {
        world.ask(new Command.Approve(null, List.of(event.id()), EngineHarness.PERSON));
    }

    private String holds(Event event) {
        return world.engine.rules().blockers(world.engine.view(), EngineHarness.WEB, event, world.now()).stream()
                .map(StartBlocker::why)
                .toList()
                .toString();
    }

    private static RolloutSpec rehearsal() {
        RolloutSpec all = spec("os", RolloutTarget.Kind.HOSTS, "*");
        return all.withRehearsal(true);
    }

    @Test
    void anOwnersRequestIsNotRefusedBecauseOfARollout() {
        webOnHosts(3);
        world.poll(EngineHarness.WEB, "w0");
        start(windowedAndShown(20));
        Event rolled = only(EngineHarness.WEB);
        EventId restart = world.schedule(Cause.RESTART, "w0");
        assertEquals(Phase.SCHEDULED, phase(restart));
        assertEquals(
                world.now().plus(NOTICE),
                world.event(restart).orElseThrow().noticePeriod().notBefore());
        RefusedException second = assertThrows(RefusedException.class, () -> world.schedule(Cause.REDEPLOY, "w0"));
        assertEquals(Problem.CONFLICT, second.problem());
        assertTrue(second.getMessage().contains(restart.toString()), "names the owner's own: " + second.getMessage());
        world.pass(NOTICE);
        assertEquals(Phase.STARTED, phase(restart));
        world.report(restart, DriverReport.DONE);
        world.running.clear();
        assertEquals(rolled, only(EngineHarness.WEB), "the rollout's event is as it was");
        world.pass(Duration.between(world.now(), rolled.noticePeriod().notBefore()));
        assertEquals(Phase.STARTED, phase(rolled.id()));
    }

    @Test
    void aRolloutsEventWaitsForWhatAnOwnerAskedForBefore() {
        webOnHosts(3);
        world.poll(EngineHarness.WEB, "w0");
        start(spec("os", RolloutTarget.Kind.HOSTS, "host-0"));
        Event rolled = only(EngineHarness.WEB);
        world.pass(Duration.ofMinutes(5));
        EventId restart = world.schedule(Cause.RESTART, "w0");
        approve(rolled);
        world.pass(Duration.ofMinutes(10));
        assertEquals(List.of(Phase.SCHEDULED, Phase.SCHEDULED), List.of(phase(rolled.id()), phase(restart)));
        assertTrue(
                holds(ofTheRollout(EngineHarness.WEB)).contains("event " + restart),
                holds(ofTheRollout(EngineHarness.WEB)));
        world.pass(Duration.ofMinutes(5));
        assertEquals(List.of(Phase.SCHEDULED, Phase.STARTED), List.of(phase(rolled.id()), phase(restart)));
        world.report(restart, DriverReport.DONE);
        assertEquals(Phase.STARTED, phase(rolled.id()));
    }

    @Test
    void aRolloutsEventGoesOnWhenWhatItWaitedForIsCancelled() {
        webOnHosts(3);
        world.poll(EngineHarness.WEB, "w0");
        start(spec("os", RolloutTarget.Kind.HOSTS, "host-0"));
        EventId rolled = only(EngineHarness.WEB).id();
        world.pass(Duration.ofMinutes(5));
        EventId restart = world.schedule(Cause.RESTART, "w0");
        world.pass(Duration.ofMinutes(12));
        assertEquals(Phase.SCHEDULED, phase(rolled));
        Instant date = world.event(rolled).orElseThrow().noticePeriod().notBefore();
        assertEquals(
                world.event(restart).orElseThrow().noticePeriod().notBefore().plus(Duration.ofMinutes(5)),
                date,
                "it is known when the restart is over");
        world.ask(new Command.Cancel(restart, EngineHarness.PERSON));
        assertEquals(Phase.SCHEDULED, phase(rolled), "a date does not move earlier");
        passUntil(date);
        assertEquals(Phase.STARTED, phase(rolled));
    }

    @Test
    void anApprovedEventStartsAtOnceWhenWhatItWaitedForIsCancelled() {
        webOnHosts(1);
        world.poll(EngineHarness.WEB, "w0");
        start(spec("os", RolloutTarget.Kind.HOSTS, "host-0"));
        Event rolled = only(EngineHarness.WEB);
        EventId restart = world.schedule(Cause.RESTART, "w0");
        approve(rolled);
        assertEquals(Phase.SCHEDULED, phase(rolled.id()));
        world.ask(new Command.Cancel(restart, EngineHarness.PERSON));
        assertEquals(Phase.STARTED, phase(rolled.id()));
    }

    /** The work on host-0 would take from 12:15 to 12:20. */
    @Test
    void aUnitWaitsForARestartInAnotherDomainThatWouldStartBeforeItsWorkIsOver() {
        webOnHosts(2);
        world.poll(EngineHarness.WEB, "w0");
        start(spec("os", RolloutTarget.Kind.HOSTS, "host-0"));
        EventId rolled = only(EngineHarness.WEB).id();
        world.pass(Duration.ofMinutes(2));
        EventId restart = world.schedule(Cause.RESTART, "w1");
        world.pass(Duration.ofMinutes(13));
        assertEquals(List.of(Phase.SCHEDULED, Phase.SCHEDULED), List.of(phase(rolled), phase(restart)));
        assertTrue(
                holds(ofTheRollout(EngineHarness.WEB))
                        .contains("event " + restart
                                + " of another update domain, which starts at 2026-03-01T12:17:00Z," + " comes first"),
                holds(ofTheRollout(EngineHarness.WEB)));
        world.pass(Duration.ofMinutes(2));
        assertEquals(List.of(Phase.SCHEDULED, Phase.STARTED), List.of(phase(rolled), phase(restart)));
        world.pass(Duration.ofMinutes(1));
        world.report(restart, DriverReport.DONE);
        assertEquals(
                Instant.parse("2026-03-01T12:22:00Z"),
                world.event(rolled).orElseThrow().noticePeriod().notBefore(),
                "the restart was expected to end seven minutes after the turn");
        world.pass(Duration.ofMinutes(4));
        assertEquals(Phase.STARTED, phase(rolled));
    }

    @Test
    void aUnitDoesNotWaitForARestartInAnotherDomainThatStartsWhenItsWorkIsOver() {
        webOnHosts(2);
        world.poll(EngineHarness.WEB, "w0");
        start(spec("os", RolloutTarget.Kind.HOSTS, "host-0"));
        EventId rolled = only(EngineHarness.WEB).id();
        world.pass(Duration.ofMinutes(5));
        EventId restart = world.schedule(Cause.RESTART, "w1");
        world.pass(Duration.ofMinutes(10));
        assertEquals(List.of(Phase.STARTED, Phase.SCHEDULED), List.of(phase(rolled), phase(restart)));
    }

    @Test
    void aPlanAvoidsRestartsInOtherDomains() {
        webOnHosts(2);
        world.poll(EngineHarness.WEB, "w0");
        world.schedule(Cause.RESTART, "w1", Duration.ofMinutes(17));
        start(spec("os", RolloutTarget.Kind.HOSTS, "host-0"));
        assertEquals(world.now().plus(Duration.ofMinutes(22)), turn(0).at(), "the restart takes from 12:17 to 12:22");
    }

    @Test
    void anOwnersRestartDoesNotMakeAUnitTooLateForItsRollout() {
        webOnHosts(2);
        world.poll(EngineHarness.WEB, "w0");
        Instant until = world.now().plus(Duration.ofMinutes(25));
        start(spec("os", RolloutTarget.Kind.HOSTS, "host-0").with(b -> b.until = until));
        EventId rolled = only(EngineHarness.WEB).id();
        world.pass(Duration.ofMinutes(14));
        EventId restart = world.schedule(Cause.RESTART, "w0");
        world.pass(Duration.ofMinutes(1));
        assertEquals(List.of(Phase.STARTED, Phase.SCHEDULED), List.of(phase(rolled), phase(restart)));
    }

    @Test
    void theLongNoticeOfOneTenantHoldsNoRollout() {
        twoGroupsOnHosts(1);
        world.poll(EngineHarness.WEB, "w0");
        world.poll(DB, "d0");
        EventId far = world.schedule(Cause.RESTART, "w0", Duration.ofDays(365));
        Instant promised = world.event(far).orElseThrow().noticePeriod().notBefore();
        EventId freeze = world.schedule(Cause.FREEZE, "d0", Duration.ofDays(300));
        start(spec("os", RolloutTarget.Kind.HOSTS, "host-0"));
        EventId rolled = ofTheRollout(DB).id();
        world.pass(NOTICE);
        assertEquals(Phase.STARTED, phase(rolled));
        done();
        assertTrue(rollout().isOver());
        assertEquals(promised, world.event(far).orElseThrow().noticePeriod().notBefore());
        assertEquals(Phase.SCHEDULED, phase(freeze));
    }

    @Test
    void aFreezeOfAnotherDomainWithLongNoticeHoldsNoRollout() {
        webOnHosts(2);
        world.poll(EngineHarness.WEB, "w0");
        EventId freeze = world.schedule(Cause.FREEZE, "w1", Duration.ofDays(300));
        start(spec("os", RolloutTarget.Kind.HOSTS, "host-0"));
        world.pass(NOTICE);
        assertEquals(Phase.STARTED, phase(ofTheRollout(EngineHarness.WEB).id()));
        assertEquals(Phase.SCHEDULED, phase(freeze));
    }

    @Test
    void neverAreTwoEventsOfOneMachineStarted() {
        webOnHosts(3);
        world.poll(EngineHarness.WEB, "w0");
        start(spec("os", RolloutTarget.Kind.HOSTS, "host-0"));
        Event rolled = only(EngineHarness.WEB);
        approve(rolled);
        assertEquals(Phase.STARTED, phase(rolled.id()));
        EventId restart = world.schedule(Cause.RESTART, "w0");
        world.ask(new Command.Approve(null, List.of(restart), EngineHarness.PERSON));
        world.pass(Duration.ofHours(1));
        assertEquals(Phase.SCHEDULED, phase(restart));
        world.running.remove(restart);
        world.report(rolled.id(), DriverReport.DONE);
        assertEquals(Phase.STARTED, phase(restart));
    }

    @Test
    void inAGroupThatDoesNotPollAnOwnersRestartWaitsOnlyForStartedWork() {
        webOnHosts(3);
        start(spec("os", RolloutTarget.Kind.HOSTS, "host-0"));
        Event rolled = only(EngineHarness.WEB);
        assertEquals(Phase.STARTED, rolled.phase());
        EventId restart = world.schedule(Cause.RESTART, "w0");
        assertEquals(Phase.WAITING, phase(restart));
        RefusedException second = assertThrows(RefusedException.class, () -> world.schedule(Cause.RESTART, "w0"));
        assertTrue(second.getMessage().contains(restart.toString()), second.getMessage());
        world.report(rolled.id(), DriverReport.DONE);
        assertEquals(Phase.STARTED, phase(restart));
    }

    @Test
    void hiddenWorkBlocksNoOwner() {
        twoGroupsOnHosts(1);
        world.poll(EngineHarness.WEB, "w0");
        start(windowedAndShown(20));
        assertEquals(Phase.SCHEDULED, ofTheRollout(DB).phase());
        EventId restart = world.schedule(Cause.RESTART, "d0");
        assertEquals(Phase.STARTED, phase(restart), "at once: nobody asks in its group");
        world.report(restart, DriverReport.DONE);
        EventId again = world.schedule(Cause.REDEPLOY, "d0");
        assertEquals(Phase.STARTED, phase(again));
    }

    @Test
    void aRehearsalBlocksNoOwner() {
        webOnHosts(1);
        world.poll(EngineHarness.WEB, "w0");
        start(rehearsal());
        EventId rolled = only(EngineHarness.WEB).id();
        EventId restart = world.schedule(Cause.RESTART, "w0");
        world.ask(new Command.Approve(null, List.of(restart), EngineHarness.PERSON));
        assertEquals(Phase.STARTED, phase(restart));
        world.report(restart, DriverReport.DONE);
        world.pass(NOTICE);
        assertEquals(Phase.STARTED, phase(rolled));
    }

    @Test
    void aRehearsalStartsAfterRealWorkThatCouldStartAtTheSameMoment() {
        twoGroupsOnHosts(1);
        world.poll(EngineHarness.WEB, "w0");
        world.poll(DB, "d0");
        start(rehearsal());
        EventId rehearsed = only(DB).id();
        EventId freeze = world.schedule(Cause.FREEZE, "w0");
        world.pass(NOTICE);
        assertEquals(Phase.STARTED, phase(freeze));
        assertEquals(Phase.SCHEDULED, phase(rehearsed), "otherwise it would be over before anybody could see it");
        world.report(freeze, DriverReport.DONE);
        assertEquals(Phase.STARTED, phase(rehearsed));
    }

    @Test
    void repeatedRequestsDelayARolloutOnlyOnce() {
        apply(1, List.of(machine(EngineHarness.WEB, "a", 0, "host-0"), machine(EngineHarness.WEB, "b", 0, "host-0")));
        world.poll(EngineHarness.WEB, "a");
        start(spec("os", RolloutTarget.Kind.HOSTS, "*"));
        EventId rolled = only(EngineHarness.WEB).id();
        world.pass(Duration.ofMinutes(5));
        EventId first = world.schedule(Cause.RESTART, "a");
        world.pass(Duration.ofMinutes(9));
        EventId second = world.schedule(Cause.RESTART, "b");
        world.pass(Duration.ofMinutes(6));
        world.report(first, DriverReport.DONE);
        EventId third = world.schedule(Cause.RESTART, "a");
        world.pass(Duration.ofMinutes(9));
        assertEquals(Phase.SCHEDULED, phase(rolled), "b's restart comes first");
        world.report(second, DriverReport.DONE);
        passUntil(world.event(rolled).orElseThrow().noticePeriod().notBefore());
        assertEquals(Phase.STARTED, phase(rolled), "it does not wait for what was asked for when it was due");
        world.report(rolled, DriverReport.DONE);
        world.pass(NOTICE);
        assertEquals(Phase.STARTED, phase(third));
    }

    @Test
    void anEventHeldByItsOwnerDoesNotHoldTheRollout() {
        webOnHosts(1);
        world.poll(EngineHarness.WEB, "w0");
        Scope scope = new Scope("default", "web", null);
        Policy seen = new Policy(scope, null, null, null, null, null, null, null, null, true, null);
        world.ask(new Command.SetPolicy(seen, EngineHarness.PERSON));
        start(spec("os", RolloutTarget.Kind.HOSTS, "host-0"));
        EventId rolled = only(EngineHarness.WEB).id();
        EventId restart = world.schedule(Cause.RESTART, "w0");
        world.ask(new Command.Approve(null, List.of(rolled), EngineHarness.PERSON));
        assertEquals(Phase.SCHEDULED, phase(rolled), "the restart comes within its notice");
        world.pass(NOTICE);
        assertEquals(Phase.STARTED, phase(rolled), "the restart has not been seen and does not start");
        assertEquals(Phase.SCHEDULED, phase(restart));
    }

    @Test
    void alternatingRestartsDelayTheHostNoLongerThanOneRestart() {
        apply(1, List.of(machine(EngineHarness.WEB, "a", 0, "host-0"), machine(EngineHarness.WEB, "b", 0, "host-0")));
        world.poll(EngineHarness.WEB, "a");
        Scope scope = new Scope("default", "web", null);
        Policy advance = new Policy(scope, null, true, null, null, null, null, null, null, null, null);
        world.ask(new Command.SetPolicy(advance, EngineHarness.PERSON));
        start(spec("os", RolloutTarget.Kind.HOSTS, "*"));
        EventId rolled = only(EngineHarness.WEB).id();
        world.pass(NOTICE.minusSeconds(10));
        EventId first = world.schedule(Cause.RESTART, "a");
        assertEquals(Phase.STARTED, phase(first));
        world.pass(Duration.ofMinutes(1));
        EventId second = world.schedule(Cause.RESTART, "b");
        assertEquals(Phase.SCHEDULED, phase(second), "the host's turn has come, and only a's restart holds it");
        assertTrue(holds(world.event(second).orElseThrow()).contains("event " + rolled));
        world.report(first, DriverReport.DONE);
        assertEquals(List.of(Phase.STARTED, Phase.SCHEDULED), List.of(phase(rolled), phase(second)));
        world.report(rolled, DriverReport.DONE);
        assertEquals(Phase.STARTED, phase(second), "as soon as the rollout's work is over");
    }

    @Test
    void anOwnersRequestDoesNotWaitForABlockedUnit() {
        webOnHosts(1);
        world.poll(EngineHarness.WEB, "w0");
        start(spec("os", RolloutTarget.Kind.HOSTS, "host-0"));
        EventId rolled = only(EngineHarness.WEB).id();
        world.ask(new Command.PauseRollout("os", EngineHarness.PERSON));
        world.pass(Duration.ofHours(1));
        EventId restart = world.schedule(Cause.RESTART, "w0");
        world.ask(new Command.Approve(null, List.of(restart), EngineHarness.PERSON));
        assertEquals(List.of(Phase.SCHEDULED, Phase.STARTED), List.of(phase(rolled), phase(restart)));
    }

    @Test
    void aPausePastTheWindowMovesTheDateIntoTheNext() {
        twoGroupsOnHosts(1);
        world.poll(EngineHarness.WEB, "w0");
        world.poll(DB, "d0");
        start(windowedAndShown(20));
        Instant window = only(EngineHarness.WEB).noticePeriod().notBefore();
        world.ask(new Command.Approve(null, List.of(only(DB).id()), EngineHarness.PERSON));
        world.ask(new Command.PauseRollout("os", EngineHarness.PERSON));
        world.pass(Duration.between(world.now(), window.plus(Duration.ofHours(12))));
        world.ask(new Command.ResumeRollout("os", false, EngineHarness.PERSON));
        for (GroupId group : List.of(EngineHarness.WEB, DB)) {
            assertEquals(
                    window.plus(Duration.ofDays(1)),
                    only(group).noticePeriod().notBefore(),
                    "a date at which it can start");
        }
        world.pass(Duration.between(world.now(), window.plus(Duration.ofDays(1))));
        assertEquals(Phase.STARTED, only(DB).phase());
    }

    @Test
    void anApprovedEventThatAWindowHoldsPastItsDateMovesIntoTheWindowAndOwnersStillGoFirst() {
        webOnHosts(1);
        world.poll(EngineHarness.WEB, "w0");
        start(hosts(ConcurrencyLimit.ALL));
        Event rolled = only(EngineHarness.WEB);
        policy(EngineHarness.WEB, 20);
        approve(rolled);
        world.pass(NOTICE);
        Instant window = only(EngineHarness.WEB).noticePeriod().notBefore();
        assertTrue(window.isAfter(world.now()), "a date at which it can start, not " + window);
        world.pass(Duration.between(world.now(), window.minus(Duration.ofMinutes(5))));
        EventId restart = world.schedule(Cause.RESTART, "w0");
        world.pass(NOTICE);
        assertEquals(List.of(Phase.SCHEDULED, Phase.STARTED), List.of(phase(rolled.id()), phase(restart)));
        world.report(restart, DriverReport.DONE);
        assertEquals(Phase.STARTED, phase(rolled.id()));
    }

    @Test
    void aPlanOfRealWorkIsNotBlockedByARehearsalOfTheSame() {
        webOnHosts(1);
        world.poll(EngineHarness.WEB, "w0");
        start(rehearsal());
        RolloutSpec real = spec("real", RolloutTarget.Kind.HOSTS, "host-0");
        assertEquals(
                List.of(),
                world.engine
                        .rules()
                        .plan(world.engine.view(), real, world.now())
                        .blocked());
        start(real);
        world.pass(NOTICE);
        EventId started = world.running.keySet().stream()
                .filter(id -> world.event(id).isPresent())
                .findFirst()
                .orElseThrow();
        assertEquals("real", world.event(started).orElseThrow().work().rollout(), "it has ended the rehearsal");
    }

    @Test
    void aRehearsalRolledOutDoesNotDelayRealWorkOnAnotherDomain() {
        webOnHosts(2);
        world.poll(EngineHarness.WEB, "w0");
        world.poll(EngineHarness.WEB, "w1");
        RolloutSpec rehearsed = rehearsal();
        start(RolloutSpec.of(
                        "rehearsal", rehearsed.cause(), new RolloutTarget(RolloutTarget.Kind.HOSTS, List.of("host-0")))
                .withNotice(Duration.ofHours(9))
                .withRehearsal(true));
        start(spec("os", RolloutTarget.Kind.HOSTS, "host-1"));
        assertEquals(2, open(EngineHarness.WEB).size(), "real work is announced beside it");
        world.pass(NOTICE);
        assertEquals(1, world.running.size());
    }

    @Test
    void aRolloutsEventThatMissedItsWindowMovesIntoTheNext() {
        twoGroupsOnHosts(1);
        world.poll(EngineHarness.WEB, "w0");
        world.poll(DB, "d0");
        start(windowedAndShown(20));
        Instant window = only(EngineHarness.WEB).noticePeriod().notBefore();
        world.pass(Duration.between(world.now(), window.minusSeconds(60)));
        world.poll(EngineHarness.WEB, "w0");
        EventId restart = world.schedule(Cause.RESTART, "w0");
        world.pass(Duration.ofHours(3));
        world.report(restart, DriverReport.DONE);
        for (GroupId group : List.of(EngineHarness.WEB, DB)) {
            assertEquals(Phase.SCHEDULED, only(group).phase());
            assertEquals(
                    window.plus(Duration.ofDays(1)), only(group).noticePeriod().notBefore());
        }
        world.pass(Duration.between(world.now(), window.plus(Duration.ofDays(1))));
        assertEquals(Phase.STARTED, only(DB).phase());
    }

    @Test
    void aDeletionIsExecutedAlthoughARolloutIsScheduled() {
        apply(1, List.of(machine(EngineHarness.WEB, "a", 0, "host-0"), machine(EngineHarness.WEB, "b", 0, "host-0")));
        world.poll(EngineHarness.WEB, "a");
        start(windowedAndShown(20));
        EventId delete = world.schedule(Cause.TERMINATE, "b");
        world.pass(Duration.ofMinutes(5));
        assertEquals(Phase.STARTED, phase(delete));
        world.report(delete, DriverReport.DONE);
        assertTrue(world.engine.view().machine(EngineHarness.machine("b")).isEmpty());
        world.running.clear();
        Event rolled = only(EngineHarness.WEB);
        world.pass(Duration.between(world.now(), rolled.noticePeriod().notBefore()));
        assertEquals(1, world.running.size());
        assertEquals(
                List.of("a"),
                world.running.values().iterator().next().machines().stream()
                        .map(m -> m.name())
                        .toList());
        done();
        assertTrue(rollout().isOver());
    }

    @Test
    void theLastMachineOfAHostMayBeDeletedWhileARolloutIsScheduled() {
        twoGroupsOnHosts(1);
        world.poll(EngineHarness.WEB, "w0");
        world.poll(DB, "d0");
        start(windowedAndShown(20));
        EventId others = only(DB).id();
        EventId delete = world.schedule(Cause.TERMINATE, "w0");
        world.pass(Duration.ofMinutes(5));
        world.report(delete, DriverReport.DONE);
        assertTrue(open(EngineHarness.WEB).isEmpty());
        assertEquals(others, only(DB).id(), "tied events keep id and turn");
        EventId second = world.schedule(Cause.TERMINATE, "d0");
        world.pass(Duration.ofMinutes(5));
        world.report(second, DriverReport.DONE);
        world.pass(Duration.ofSeconds(1));
        assertTrue(open(DB).isEmpty());
        assertFalse(rollout().isOver(), "others may come before its turn");
        passUntil(turn(0).at());
        assertTrue(rollout().isOver(), "nobody is left");
    }

    @Test
    void aFailureEndsTheRehearsalOfAWholeUnit() {
        twoGroupsOnHosts(1);
        world.poll(EngineHarness.WEB, "w0");
        world.poll(DB, "d0");
        start(rehearsal());
        world.pass(NOTICE);
        EventId lead = only(EngineHarness.WEB).id();
        EventId other = only(DB).id();
        assertEquals(Phase.STARTED, phase(lead));
        EventId failure = world.schedule(Cause.FAILURE, "w0");
        assertEquals(List.of(Phase.ENDED, Phase.ENDED), List.of(phase(lead), phase(other)));
        assertEquals(Phase.STARTED, phase(failure));
        assertTrue(world.running.containsKey(failure), "the driver is told of what really happened");
        assertEquals(
                MachineCondition.State.BROKEN_DOWN,
                world.engine.view().condition(EngineHarness.machine("w0")).state());
        assertTrue(rollout().isOver());
    }

    @Test
    void aPreemptedMachineIsNotWorkedOnAndDelaysNoOther() {
        apply(1, List.of(spot("s", "host-0"), machine(EngineHarness.WEB, "b", 0, "host-0")));
        world.poll(EngineHarness.WEB, "b");
        EventId restart = world.schedule(Cause.RESTART, "s");
        world.ask(new Command.Approve(null, List.of(restart), EngineHarness.PERSON));
        world.schedule(Cause.PREEMPT, "s");
        world.report(restart, DriverReport.DONE);
        world.running.clear();
        Scope scope = new Scope("default", "web", null);
        Policy seen = new Policy(scope, null, null, null, null, null, null, null, null, true, null);
        world.ask(new Command.SetPolicy(seen, EngineHarness.PERSON));
        start(spec("os", RolloutTarget.Kind.HOSTS, "host-0"));
        world.poll(EngineHarness.WEB, "b");
        world.pass(NOTICE);
        assertEquals(1, world.running.size(), "s is not waited for");
        done();
        assertEquals(
                MachineCondition.State.TAKEN,
                world.engine.view().condition(EngineHarness.machine("s")).state());
        assertTrue(rollout().isOver());
    }

    @Test
    void aMachineEvictedWhileARolloutIsScheduledLeavesItsUnit() {
        apply(1, List.of(spot("s", "host-0"), machine(EngineHarness.WEB, "b", 0, "host-0")));
        world.poll(EngineHarness.WEB, "b");
        start(windowedAndShown(20));
        Event rolled = only(EngineHarness.WEB);
        assertEquals(2, rolled.resources().size());
        EventId restart = world.schedule(Cause.RESTART, "s");
        world.ask(new Command.Approve(null, List.of(restart), EngineHarness.PERSON));
        assertEquals(restart, world.schedule(Cause.PREEMPT, "s"), "joined");
        world.report(restart, DriverReport.DONE);
        world.running.clear();
        world.pass(Duration.between(world.now(), rolled.noticePeriod().notBefore()));
        assertEquals(Phase.STARTED, phase(rolled.id()), "the same event, with its turn");
        assertEquals(
                List.of("b"),
                world.running.values().iterator().next().machines().stream()
                        .map(m -> m.name())
                        .toList());
        done();
        assertEquals(
                MachineCondition.State.TAKEN,
                world.engine.view().condition(EngineHarness.machine("s")).state());
    }

    @Test
    void aRolloutLeavesRoomForWhatOwnersAskFor() {
        List<MachineSpec> machines = IntStream.range(0, 205)
                .mapToObj(i -> machine(EngineHarness.WEB, "w" + i, 0, "host-" + i))
                .toList();
        apply(1, machines);
        world.poll(EngineHarness.WEB, "w0");
        start(spec("os", RolloutTarget.Kind.HOSTS, "*"));
        assertEquals(180, open(EngineHarness.WEB).size());
        String later = machines.stream()
                .map(m -> m.id().name())
                .filter(name -> open(EngineHarness.WEB).stream().noneMatch(e -> e.lists(name)))
                .findFirst()
                .orElseThrow();
        assertEquals(Phase.SCHEDULED, phase(world.schedule(Cause.RESTART, later)));
        world.pass(NOTICE);
        done();
        passUntil(turn(204).at().minus(NOTICE));
        assertEquals(
                25,
                open(EngineHarness.WEB).stream()
                        .filter(e -> e.work().unit() != null)
                        .count());
    }

    private static MachineSpec spot(String name, String host) {
        return new MachineSpec(
                0,
                EngineHarness.machine(name),
                EngineHarness.WEB,
                0,
                0,
                host,
                List.of(),
                "",
                true,
                Map.of("env", name));
    }

    @Test
    void whatIsAskedForAfterTheTurnComesAfterTheUnitThoughAWindowMovedIt() {
        webOnHosts(1);
        world.poll(EngineHarness.WEB, "w0");
        RolloutSpec all = spec("os", RolloutTarget.Kind.HOSTS, "*");
        MaintenanceWindow brief = new MaintenanceWindow(
                EnumSet.allOf(DayOfWeek.class), LocalTime.of(22, 0), Duration.ofMinutes(10), ZoneId.of("UTC"));
        start(all.withWindows(List.of(brief)));
        for (int day = 1; day <= 2; day++) {
            Instant opens = Instant.parse("2026-03-0" + day + "T22:00:00Z");
            passUntil(opens.minusSeconds(60));
            world.poll(EngineHarness.WEB, "w0");
            world.schedule(Cause.RESTART, "w0");
            passUntil(opens);
            assertEquals(day == 1 ? 0 : 1, world.running.size(), "on day " + day);
            if (day == 1) {
                assertTrue(turn(0).at().isAfter(opens));
                passUntil(opens.plus(Duration.ofMinutes(14)));
                done();
            }
        }
        assertEquals(Phase.STARTED, phase(ofTheRollout(EngineHarness.WEB).id()));
    }

    @Test
    void whatIsAskedForAfterTheTurnComesAfterTheUnitThoughAnotherUnitMovedIt() {
        webOnHosts(2);
        world.poll(EngineHarness.WEB, "w0");
        start(spec("os", RolloutTarget.Kind.HOSTS, "*").withRecovery(Duration.ofMinutes(5)));
        Instant first = turn(0).at();
        passUntil(first.minus(Duration.ofMinutes(5)));
        world.schedule(Cause.RESTART, "w0");
        passUntil(first.plus(Duration.ofMinutes(12)));
        done();
        Instant moved = turn(0).at();
        assertTrue(moved.isAfter(first), "an owner's request goes first");
        assertEquals(first, turn(0).due());
        passUntil(moved.minus(Duration.ofMinutes(1)));
        done();
        world.poll(EngineHarness.WEB, "w0");
        world.poll(EngineHarness.WEB, "w1");
        world.schedule(Cause.RESTART, "w0");
        assertEquals(moved, turn(0).at());
        passUntil(moved.plus(Duration.ofMinutes(5)));
        assertEquals(moved, turn(0).at(), "asked for after the turn it had before");
        assertEquals(Phase.STARTED, phase(ofTheRollout(EngineHarness.WEB).id()));
    }

    @Test
    void aRequestThatIsPostponedAfterTheTurnComesAfterTheUnit() {
        webOnHosts(1);
        world.poll(EngineHarness.WEB, "w0");
        policy(EngineHarness.WEB, 12);
        start(spec("os", RolloutTarget.Kind.HOSTS, "host-0"));
        Instant turn = turn(0).at();
        passUntil(turn.minusSeconds(60));
        EventId restart = world.schedule(Cause.RESTART, "w0");
        passUntil(turn.plusSeconds(60));
        assertTrue(world.running.isEmpty(), "an owner's request goes first");
        world.ask(new Command.Postpone(null, restart, null, Duration.ofMinutes(13), EngineHarness.PERSON));
        world.pass(Duration.ofMinutes(25));
        assertEquals(Phase.STARTED, phase(ofTheRollout(EngineHarness.WEB).id()));
        assertEquals(Phase.SCHEDULED, phase(restart));
    }

    @Test
    void aRequestThatIsDueJustBeforeTheTurnWaitsIfTheUnitWouldBeTooLate() {
        webOnHosts(1);
        world.poll(EngineHarness.WEB, "w0");
        Instant begins = world.now().plus(Duration.ofHours(1));
        start(spec("os", RolloutTarget.Kind.HOSTS, "*")
                .between(begins, begins.plusSeconds(60), RolloutSpec.Late.REFUSE, ZoneId.of("UTC")));
        Duration notice = ServiceTerms.AZURE.minimumNotice(EventType.REDEPLOY);
        passUntil(begins.minusSeconds(20).minus(notice));
        EventId move = world.schedule(Cause.REDEPLOY, "w0");
        passUntil(begins);
        assertEquals(Status.RUNNING, rollout().status());
        assertEquals(1, rollout().started());
        assertEquals(Phase.SCHEDULED, world.event(move).orElseThrow().phase());
        done();
        assertTrue(world.running.containsKey(move), "it comes right after");
    }

    /** Each of the two units, and the request, had to know of the others whether they could start. */
    @Test
    void twoApprovedUnitsAndARequestOfWhichEachWaitsForAnotherAreDecided() {
        webOnHosts(2);
        world.poll(EngineHarness.WEB, "w0");
        policy(EngineHarness.WEB, 12);
        start(spec("os", RolloutTarget.Kind.GROUPS, "default/web"));
        world.ask(new Command.Postpone(
                null, only(EngineHarness.WEB).id(), null, Duration.ofHours(20), EngineHarness.PERSON));
        passUntil(turn(1).at().minus(Duration.ofMinutes(20)));
        EventId restart = world.schedule(Cause.RESTART, "w1");
        world.pass(Duration.ofHours(3));
        assertTrue(turn(1).at().isAfter(turn(0).at()), "it missed its window because of the restart");
        world.running.remove(restart);
        world.report(restart, DriverReport.DONE);
        open(EngineHarness.WEB)
                .forEach(event -> world.ask(new Command.Approve(null, List.of(event.id()), EngineHarness.PERSON)));
        assertTrue(world.running.isEmpty());
        EventId again = world.schedule(Cause.RESTART, "w1");
        world.ask(new Command.Approve(null, List.of(again), EngineHarness.PERSON));
        assertTrue(world.running.containsKey(again));
    }

    @Test
    void aFreezeDoesNotTakeThePlaceOfAUnitThatIsALittleLate() {
        webOnHosts(3);
        world.poll(EngineHarness.WEB, "w0");
        start(spec("os", RolloutTarget.Kind.HOSTS, "host-0"));
        Instant turn = turn(0).at();
        EventId restart = world.schedule(Cause.RESTART, "w1");
        EventId freeze = world.schedule(Cause.FREEZE, "w2");
        passUntil(turn.plusSeconds(30));
        assertEquals(Phase.STARTED, phase(restart));
        assertEquals(Phase.SCHEDULED, phase(freeze));
        passUntil(turn.plusSeconds(90));
        world.report(restart, DriverReport.DONE);
        world.running.clear();
        world.pass(Duration.ofSeconds(2));
        assertEquals(turn, turn(0).at());
        assertEquals(1, rollout().started());
        assertEquals(Phase.SCHEDULED, phase(freeze));
    }
}
