package io.forewarn.core.rules;

import static io.forewarn.core.engine.EngineHarness.WEB;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.forewarn.core.engine.EngineHarness;
import io.forewarn.core.event.Cause;
import io.forewarn.core.event.Event;
import io.forewarn.core.event.EventId;
import io.forewarn.core.event.Phase;
import io.forewarn.core.fleet.Machine;
import io.forewarn.core.policy.Policy;
import io.forewarn.core.policy.Scope;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Single freezes in several update domains of a group: m0, m2 and m4 are in domain 0, the others in domain 1. */
class FreezeOrderTest {
    private static final Duration NOTICE = Duration.ofMinutes(15);
    private static final Duration RECOVERY = Duration.ofMinutes(30);

    private final EngineHarness world = EngineHarness.enabled();

    private EventId freeze(String machine) {
        return world.schedule(Cause.FREEZE, machine);
    }

    private Phase phase(EventId id) {
        return world.event(id).map(Event::phase).orElse(Phase.ENDED);
    }

    private Instant date(EventId id) {
        return world.event(id).orElseThrow().noticePeriod().notBefore();
    }

    private List<String> holds(EventId id) {
        return new StartExplanation(world.engine.view(), ServiceTerms.AZURE, world.now())
                .of(WEB, world.event(id).orElseThrow()).stream()
                        .map(StartBlocker::why)
                        .toList();
    }

    /** Every freeze takes five seconds. */
    private void pass(Duration duration) {
        Instant end = world.now().plus(duration);
        while (world.now().isBefore(end)) {
            world.pass(Duration.ofSeconds(5));
            List<EventId> ids = List.copyOf(world.running.keySet());
            world.running.clear();
            ids.forEach(id -> world.report(id, DriverReport.DONE));
        }
    }

    private void passUntil(Instant at) {
        pass(Duration.between(world.now(), at));
    }

    @Test
    void theMachinesAreInTheDomainsThatTheseTestsAssume() {
        assertEquals(
                List.of(0, 1, 0, 1, 0, 1),
                world.engine.view().machines(WEB).stream()
                        .map(Machine::updateDomain)
                        .toList());
    }

    @Test
    void freezesOfOneDomainDoNotOvertakeAnEarlierFreezeOfAnotherAgainAndAgain() {
        freeze("m0");
        pass(Duration.ofMinutes(20));
        EventId waiting = freeze("m1");
        for (int i = 0; i < 12 && phase(waiting) != Phase.ENDED; i++) {
            freeze("m0");
            pass(Duration.ofMinutes(20));
        }
        assertEquals(Phase.ENDED, phase(waiting));
        assertEquals(EngineHarness.START.plus(Duration.ofMinutes(80)), world.now());
    }

    @Test
    void anEarlierFreezeStartsTheMomentTheRecoveryEndsAndALaterOneAfterItsOwn() {
        freeze("m0");
        world.pass(NOTICE);
        pass(Duration.ofSeconds(5));
        Instant recovered = world.now().plus(RECOVERY);
        EventId waiting = freeze("m1");
        world.pass(Duration.ofMinutes(6));
        EventId later = freeze("m2");
        world.pass(Duration.between(world.now(), recovered).minusSeconds(1));
        assertEquals(List.of(Phase.SCHEDULED, Phase.SCHEDULED), List.of(phase(waiting), phase(later)));
        assertEquals(List.of("update domain 0 recovers"), holds(waiting));
        assertEquals(
                List.of("update domain 1 of its group was to start at " + date(waiting) + " and comes first"),
                holds(later));
        world.pass(Duration.ofSeconds(1));
        assertEquals(Phase.STARTED, phase(waiting));
        world.running.clear();
        world.report(waiting, DriverReport.DONE);
        world.pass(RECOVERY.minusSeconds(1));
        assertEquals(Phase.SCHEDULED, phase(later));
        world.pass(Duration.ofSeconds(1));
        assertEquals(Phase.STARTED, phase(later));
    }

    @Test
    void anApprovedFreezeDoesNotOvertakeOneWhoseDateHasPassed() {
        freeze("m0");
        pass(Duration.ofMinutes(20));
        EventId waiting = freeze("m1");
        passUntil(date(waiting));
        EventId later = freeze("m0");
        world.approve(later);
        assertEquals(List.of(Phase.SCHEDULED, Phase.SCHEDULED), List.of(phase(waiting), phase(later)));
        pass(RECOVERY);
        assertEquals(List.of(Phase.ENDED, Phase.SCHEDULED), List.of(phase(waiting), phase(later)));
        pass(RECOVERY);
        assertEquals(Phase.ENDED, phase(later));
    }

    @Test
    void aFreezeThatAPolicyHoldsHoldsNoOther() {
        freeze("m0");
        pass(Duration.ofMinutes(20));
        EventId waiting = freeze("m1");
        Scope scope = new Scope("default", "web", null);
        world.ask(new Command.SetPolicy(
                new Policy(scope, null, null, null, null, null, null, null, null, true, null), EngineHarness.PERSON));
        pass(Duration.ofMinutes(6));
        EventId later = freeze("m0");
        world.poll(WEB, "m0");
        passUntil(date(later).plusSeconds(5));
        assertEquals(List.of(Phase.SCHEDULED, Phase.ENDED), List.of(phase(waiting), phase(later)));
    }

    @Test
    void aFreezeThatIsCancelledHoldsNoOther() {
        freeze("m0");
        pass(Duration.ofMinutes(20));
        EventId waiting = freeze("m1");
        pass(Duration.ofMinutes(6));
        EventId later = freeze("m0");
        passUntil(date(later).plusSeconds(5));
        assertEquals(Phase.SCHEDULED, phase(later));
        world.ask(new Command.Cancel(waiting, EngineHarness.PERSON));
        world.turn();
        assertEquals(Phase.STARTED, phase(later));
    }

    @Test
    void aFreezeThatIsOverBeforeAnEarlierRequestStartsOnItsDate() {
        EventId restart = world.schedule(Cause.RESTART, "m0", Duration.ofMinutes(30));
        EventId freeze = freeze("m0");
        passUntil(date(freeze).plusSeconds(5));
        assertEquals(Phase.ENDED, phase(freeze));
        assertEquals(Phase.SCHEDULED, phase(restart));
    }

    @Test
    void aFreezeWaitsForAnEarlierRequestThatWouldStartBeforeItIsOver() {
        EventId restart = world.schedule(Cause.RESTART, "m0", NOTICE.plusSeconds(3));
        EventId freeze = freeze("m0");
        assertEquals(Phase.WAITING, phase(freeze));
        passUntil(date(restart).plusSeconds(10));
        assertEquals(Phase.ENDED, phase(restart));
        assertEquals(Phase.SCHEDULED, phase(freeze));
    }

    @Test
    void freezesThatAreRequestedOneByOneDoNotWaitForEachOther() {
        List<EventId> even = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            EventId id = freeze("m" + i);
            if (i % 2 == 0) {
                even.add(id);
            }
            world.pass(Duration.ofSeconds(2));
        }
        pass(NOTICE);
        assertEquals(
                List.of(Phase.ENDED, Phase.ENDED, Phase.ENDED),
                even.stream().map(this::phase).toList());
        pass(RECOVERY.plusSeconds(10));
        assertEquals(List.of(), world.engine.view().state(WEB).events());
    }

    @Test
    void inAGroupThatDoesNotPollTheEarlierRequestComesFirstToo() {
        EngineHarness silent = EngineHarness.withWeb(ServiceTerms.AZURE);
        EventId first = silent.schedule(Cause.FREEZE, "m0");
        silent.report(first, DriverReport.DONE);
        silent.pass(Duration.ofMinutes(20));
        EventId waiting = silent.schedule(Cause.FREEZE, "m1");
        silent.pass(Duration.ofMinutes(6));
        EventId later = silent.schedule(Cause.FREEZE, "m0");
        assertEquals(
                List.of(Phase.WAITING, Phase.WAITING),
                List.of(waiting, later).stream()
                        .map(id -> silent.event(id).orElseThrow().phase())
                        .toList());
        silent.pass(Duration.ofMinutes(4));
        assertEquals(Phase.STARTED, silent.event(waiting).orElseThrow().phase());
        silent.report(waiting, DriverReport.DONE);
        silent.pass(RECOVERY);
        assertEquals(Phase.STARTED, silent.event(later).orElseThrow().phase());
    }
}
