package io.forewarn.core.notice;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.forewarn.core.event.Transition;
import io.forewarn.core.fleet.GroupId;
import io.forewarn.core.rules.Entry;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class NewsTest {
    @Test
    void allThatHistoryTellsCanBeTold() {
        for (Transition transition : Transition.values()) {
            assertTrue(News.of(transition.name()).isPresent(), transition::name);
        }
        for (Entry.What what : Entry.What.values()) {
            assertTrue(News.of(what.name()).isPresent(), what::name);
        }
    }

    @Test
    void allThatCanBeToldIsToldByHistory() {
        Set<News> never = EnumSet.allOf(News.class);
        for (Transition transition : Transition.values()) {
            never.remove(News.of(transition.name()).orElseThrow());
        }
        for (Entry.What what : Entry.What.values()) {
            never.remove(News.of(what.name()).orElseThrow());
        }
        assertEquals(Set.of(), never);
    }

    @Test
    void programsKnowItByWhatItIsAbout() {
        assertEquals("event.scheduled", News.SCHEDULED.dotted());
        assertEquals("rollout.halted", News.ROLLOUT_HALTED.dotted());
        assertEquals("event.tried-again", News.TRIED_AGAIN.dotted());
    }

    @Test
    void aTenantIsToldNothingOfOthersNorOfTheWholeService() {
        Wants shop = new Wants("shop", Set.of(), EnumSet.allOf(News.class));
        assertTrue(shop.include(new GroupId("shop", "web"), News.STARTED));
        assertEquals(false, shop.include(new GroupId("default", "web"), News.STARTED));
        assertEquals(false, shop.include(null, News.TOKEN_ADDED));
        Wants all = new Wants(null, Set.of(), EnumSet.allOf(News.class));
        assertTrue(all.include(null, News.TOKEN_ADDED));
    }

    @Test
    void aPlaceIsReadAsItIsWrittenAndOrdered() {
        Place place = new Place(42, 7);
        assertEquals(place, Place.parse("42.7").orElseThrow());
        assertTrue(Place.parse("42").isEmpty());
        assertTrue(Place.before(42, 0).isBefore(new Place(42, 0)));
        assertTrue(new Place(41, 5).isBefore(Place.before(42, 0)));
        assertTrue(place.isBefore(Place.after(42)));
    }
}
