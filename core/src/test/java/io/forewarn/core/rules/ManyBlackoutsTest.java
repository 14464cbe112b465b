package io.forewarn.core.rules;

import static io.forewarn.core.rules.ScheduleRulesTest.assertRefused;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.forewarn.core.Problem;
import io.forewarn.core.engine.EngineHarness;
import io.forewarn.core.event.Cause;
import io.forewarn.core.event.EventId;
import io.forewarn.core.policy.Blackout;
import io.forewarn.core.policy.MaintenanceWindow;
import io.forewarn.core.policy.Policy;
import io.forewarn.core.policy.Scope;
import io.forewarn.core.policy.StartCalendar;
import io.forewarn.core.policy.WindowSearch;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Policies with as many blackouts as there may be, each of which begins when another ends. */
class ManyBlackoutsTest {
    private static final Scope TENANT = new Scope("default", null, null);
    private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");
    private static final LocalDateTime BEGIN = LocalDateTime.parse("2026-03-01T13:00");
    private static final int MOST = 100;

    /** It is 13:00 in Berlin, on a Sunday; in four weeks the clocks skip an hour. */
    private final EngineHarness world = EngineHarness.enabled();

    /** The last comes first in the list. */
    private static List<Blackout> abutting(int number, Duration each) {
        List<Blackout> blackouts = new ArrayList<>();
        for (int i = 0; i < number; i++) {
            blackouts.add(
                    new Blackout(BEGIN.plus(each.multipliedBy(i)), BEGIN.plus(each.multipliedBy(i + 1L)), BERLIN));
        }
        Collections.reverse(blackouts);
        return blackouts;
    }

    private void set(List<Blackout> blackouts, MaintenanceWindow... windows) {
        List<MaintenanceWindow> all = windows.length == 0 ? null : List.of(windows);
        world.ask(new Command.SetPolicy(
                new Policy(TENANT, null, null, null, null, all, blackouts, null, null, null, null),
                EngineHarness.PERSON));
    }

    private Instant dateOfAFreeze() {
        EventId freeze = world.schedule(Cause.FREEZE, "m0");
        return world.event(freeze).orElseThrow().noticePeriod().notBefore();
    }

    @Test
    void aPolicyIsAcceptedIfWorkMayStartWhenTheLastBlackoutEnds() {
        set(abutting(MOST, Duration.ofDays(2)));
        assertEquals(Instant.parse("2026-09-17T11:00:00Z"), dateOfAFreeze());
    }

    @Test
    void aPolicyIsAcceptedIfTheLastBlackoutEndsWithinAYear() {
        set(abutting(MOST, Duration.ofHours(87)));
        assertEquals(Instant.parse("2027-02-27T00:00:00Z"), dateOfAFreeze());
    }

    @Test
    void aPolicyThatClosesTheWholeYearIsRefused() {
        assertRefused(Problem.BAD_INPUT, "leave no moment open", () -> set(abutting(MOST, Duration.ofHours(88))));
        assertTrue(world.engine.view().policy(TENANT).isEmpty());
    }

    @Test
    void aMinuteBetweenTwoOfThemIsEnough() {
        List<Blackout> blackouts = abutting(MOST, Duration.ofDays(4));
        Blackout late = blackouts.get(49);
        blackouts.set(49, new Blackout(late.begin().plusMinutes(1), late.end(), BERLIN));
        set(blackouts);
        assertEquals(late.begin().atZone(BERLIN).toInstant(), dateOfAFreeze());
    }

    /** From 25 October 2026 on, 02:00 in Berlin is an hour later. */
    @Test
    void anHourThatComesTwiceIsClosedToo() {
        LocalDateTime twice = LocalDateTime.parse("2026-10-25T02:30");
        set(List.of(new Blackout(twice, twice.plusDays(30), BERLIN), new Blackout(BEGIN, twice, BERLIN)));
        assertEquals(Instant.parse("2026-11-24T01:30:00Z"), dateOfAFreeze());
    }

    @Test
    void windowsThatNoBlackoutLeavesOpenAreRefused() {
        MaintenanceWindow sundays =
                new MaintenanceWindow(Set.of(DayOfWeek.SUNDAY), LocalTime.of(1, 0), Duration.ofHours(4), BERLIN);
        List<Blackout> blackouts = new ArrayList<>();
        for (int week = 53; week > 0; week--) {
            LocalDateTime sunday = LocalDateTime.parse("2026-03-01T01:00").plusWeeks(week);
            blackouts.add(new Blackout(sunday, sunday.plusHours(5), BERLIN));
        }
        assertRefused(Problem.BAD_INPUT, "leave no moment open", () -> set(blackouts, sundays));
        blackouts.remove(10);
        set(blackouts, sundays);
        assertEquals(Instant.parse("2026-12-27T00:00:00Z"), dateOfAFreeze());
    }

    @Test
    void theFirstTimeThatACalendarIsClosedForLongIsFoundAtAnyHour() {
        StartCalendar calendar = new StartCalendar(List.of(), abutting(MOST, Duration.ofHours(8)));
        Instant closed = BEGIN.atZone(BERLIN).toInstant();
        Instant opens = BEGIN.plusHours(800).atZone(BERLIN).toInstant();
        Duration length = Duration.between(closed, opens);
        Instant before = closed.minus(Duration.ofHours(5));
        assertEquals(Optional.of(closed), WindowSearch.closedLonger(before, calendar, length.minusMinutes(1)));
        assertEquals(Optional.empty(), WindowSearch.closedLonger(before, calendar, length));
    }
}
