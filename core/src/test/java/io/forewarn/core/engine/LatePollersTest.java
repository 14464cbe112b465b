package io.forewarn.core.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.forewarn.core.event.Cause;
import io.forewarn.core.event.Event;
import io.forewarn.core.event.EventId;
import io.forewarn.core.event.Phase;
import io.forewarn.core.event.Transition;
import io.forewarn.core.fleet.GroupId;
import io.forewarn.core.history.HistoryEntry;
import io.forewarn.core.rollout.RolloutSpec;
import io.forewarn.core.rollout.RolloutTarget;
import io.forewarn.core.rules.Command;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Groups that begin to ask after work on them was planned. */
class LatePollersTest extends RolloutFixture {
    private List<Event> read(GroupId group) {
        return world.engine.view().find(group).document().events();
    }

    @Test
    void aGroupThatBeginsToAskIsShownWhatWasPlannedAndTheWorkWaits() {
        twoGroupsOnHosts(1);
        world.poll(EngineHarness.WEB, "w0");
        start(spec("os", RolloutTarget.Kind.HOSTS, "host-0"));
        EventId known = only(EngineHarness.WEB).id();
        assertTrue(read(DB).isEmpty());
        world.pass(Duration.ofMinutes(14));
        world.poll(DB, "d0");
        assertEquals(1, read(DB).size(), "the first answer shows it");
        Event shown = read(DB).get(0);
        assertEquals(world.now().plus(NOTICE), shown.noticePeriod().notBefore());
        assertEquals(NOTICE, shown.work().notice());
        assertEquals(2, world.engine.view().state(DB).incarnation());
        world.pass(NOTICE.minusSeconds(1));
        assertTrue(world.running.isEmpty());
        assertEquals(known, only(EngineHarness.WEB).id());
        assertEquals(
                shown.noticePeriod().notBefore(),
                only(EngineHarness.WEB).noticePeriod().notBefore(),
                "the host moves as a whole, and the others are told when");
        world.pass(Duration.ofSeconds(1));
        assertEquals(1, world.running.size());
        assertFalse(world.steps(shown.id()).contains(Transition.STARTED_UNSEEN.name()));
    }

    @Test
    void itMayApproveWhatItIsShown() {
        twoGroupsOnHosts(1);
        world.poll(EngineHarness.WEB, "w0");
        start(spec("os", RolloutTarget.Kind.HOSTS, "host-0"));
        world.poll(DB, "d0");
        approve(EngineHarness.WEB);
        assertTrue(world.running.isEmpty());
        approve(DB);
        assertEquals(1, world.running.size());
    }

    @Test
    void theNoticeItWasGivenCountsFromWhenItWasShown() {
        twoGroupsOnHosts(1);
        world.poll(EngineHarness.WEB, "w0");
        start(spec("os", RolloutTarget.Kind.HOSTS, "host-0"));
        world.pass(Duration.ofMinutes(10));
        world.poll(DB, "d0");
        world.pass(Duration.ofMinutes(4));
        approve(EngineHarness.WEB);
        approve(DB);
        assertEquals(
                List.of(Duration.ofMinutes(14), Duration.ofMinutes(4)),
                world.history.stream()
                        .filter(e -> e.what().equals(Transition.STARTED_BY_APPROVAL.name()))
                        .sorted(Comparator.comparing(e -> e.group().equals(DB)))
                        .map(HistoryEntry::given)
                        .toList());
    }

    @Test
    void aGroupThatBeginsToAskLongBeforeTheTurnIsShownItWithItsNotice() {
        webOnHosts(1);
        start(windowed(3));
        Instant opens = Instant.parse("2026-03-02T03:00:00Z");
        assertEquals(opens, turn(0).at());
        world.pass(Duration.ofHours(1));
        world.poll(EngineHarness.WEB, "w0");
        passUntil(opens.minus(NOTICE).minusSeconds(1));
        assertTrue(read(EngineHarness.WEB).isEmpty());
        world.pass(Duration.ofSeconds(1));
        assertEquals(opens, read(EngineHarness.WEB).get(0).noticePeriod().notBefore());
        world.pass(NOTICE);
        assertEquals(
                List.of("w0"), world.running.values().iterator().next().event().resources());
    }

    @Test
    void atTheLastMomentItGetsItsNoticeAndTheNextWindow() {
        webOnHosts(1);
        start(windowed(12 + 2));
        world.pass(Duration.ofHours(2).minusSeconds(1));
        assertTrue(world.running.isEmpty());
        world.poll(EngineHarness.WEB, "w0");
        assertEquals(
                world.now().plus(NOTICE),
                read(EngineHarness.WEB).get(0).noticePeriod().notBefore());
        world.pass(NOTICE.minusSeconds(1));
        assertTrue(world.running.isEmpty());
        world.pass(Duration.ofSeconds(1));
        assertEquals(1, world.running.size());
    }

    @Test
    void aGroupThatFellSilentAndCameBackIsShownItToo() {
        twoGroupsOnHosts(1);
        world.poll(DB, "d0");
        world.pass(Duration.ofDays(2));
        world.poll(EngineHarness.WEB, "w0");
        start(spec("os", RolloutTarget.Kind.HOSTS, "host-0"));
        assertTrue(read(DB).isEmpty());
        world.pass(Duration.ofMinutes(10));
        world.poll(DB, "d0");
        assertEquals(world.now().plus(NOTICE), read(DB).get(0).noticePeriod().notBefore());
    }

    @Test
    void itIsShownTheTurnOfTheUnitThoughTheOthersWereShownItEarlier() {
        twoGroupsOnHosts(1);
        world.poll(EngineHarness.WEB, "w0");
        RolloutSpec plain = spec("os", RolloutTarget.Kind.HOSTS, "host-0");
        Duration hour = Duration.ofHours(1);
        start(plain.withNotice(hour));
        Instant turn = world.now().plus(hour);
        world.pass(Duration.ofMinutes(1));
        world.poll(DB, "d0");
        assertEquals(turn, read(DB).get(0).noticePeriod().notBefore());
    }

    @Test
    void smallDelaysDoNotAddUp() {
        apply(
                2,
                List.of(
                        machine(EngineHarness.WEB, "a", 0, "host-1"),
                        machine(EngineHarness.WEB, "b", 1, "host-1"),
                        machine(DB, "d0", 0, "host-1")));
        world.poll(EngineHarness.WEB, "a");
        start(spec("os", RolloutTarget.Kind.HOSTS, "host-1")
                .withEvacuation(true)
                .with(b -> b.recovery = Duration.ZERO));
        Instant turn = turn(0).at();
        passUntil(turn.minus(NOTICE).plus(Duration.ofMinutes(3)));
        place(EngineHarness.WEB, "b", 1, "host-2");
        done();
        assertEquals(turn.plus(Duration.ofMinutes(3)), only(DB).noticePeriod().notBefore());
        assertEquals(turn, turn(0).at());
        world.pass(Duration.ofMinutes(4));
        world.poll(DB, "d0");
        assertEquals(world.now().plus(NOTICE), read(DB).get(0).noticePeriod().notBefore());
        assertEquals(world.now().plus(NOTICE), turn(0).at(), "its owners are told that it moves");
    }

    @Test
    void itsFirstAnswerShowsAUnitThatNobodyElseIsShown() {
        webOnHosts(1);
        Instant begins = world.now().plus(Duration.ofMinutes(20));
        start(spec("os", RolloutTarget.Kind.HOSTS, "host-0").with(b -> b.at = begins));
        world.pass(Duration.ofMinutes(10));
        world.ask(new Command.Enable(EngineHarness.WEB, EngineHarness.PERSON));
        assertEquals(1, read(EngineHarness.WEB).size());
    }

    @Test
    void anEventShownLateKeepsItsNoticeOverACrash() {
        twoGroupsOnHosts(1);
        world.poll(EngineHarness.WEB, "w0");
        start(spec("os", RolloutTarget.Kind.HOSTS, "host-0"));
        world.pass(Duration.ofMinutes(14));
        world.poll(DB, "d0");
        Instant polled = world.now();
        world.pass(Duration.ofMinutes(5));
        world.open();
        assertTrue(world.running.isEmpty());
        world.pass(Duration.ofHours(1));
        Instant started = only(DB).attempt().startedAt();
        assertFalse(started.isBefore(polled.plus(NOTICE)), started.toString());
    }

    @Test
    void aFreezeThatWaitsForAWindowIsShownToo() {
        webOnHosts(1);
        policy(EngineHarness.WEB, 18);
        EventId freeze = world.schedule(Cause.FREEZE, "w0");
        assertEquals(Phase.WAITING, only(EngineHarness.WEB).phase());
        world.pass(Duration.ofHours(1));
        world.poll(EngineHarness.WEB, "w0");
        assertEquals(
                List.of(freeze), read(EngineHarness.WEB).stream().map(Event::id).toList());
        assertEquals(
                Instant.parse("2026-03-01T18:00:00Z"),
                read(EngineHarness.WEB).get(0).noticePeriod().notBefore());
    }

    @Test
    void machinesThatNeverPollAreIncludedAsBefore() {
        twoGroupsOnHosts(1);
        world.poll(EngineHarness.WEB, "w0");
        start(spec("os", RolloutTarget.Kind.HOSTS, "host-0"));
        world.pass(NOTICE);
        assertEquals(1, world.running.size());
        assertTrue(world.steps(only(DB).id()).contains(Transition.STARTED_UNSEEN.name()));
        world.ask(new Command.AbortRollout("os", EngineHarness.PERSON));
    }
}
