package io.forewarn.server.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

class CrowdTest {
    private static Word word(String machine) {
        return new Word("sight", "t", "g", machine, null, null, null, null, null, null, null, null);
    }

    private static final int WEIGHT = word("a").weight();

    private static String names(List<Crowd.Waiting> some) {
        return String.join("", some.stream().map(one -> one.word().machine()).toList());
    }

    @Test
    void whatHasNoRoomIsDropped() {
        Crowd crowd = new Crowd(3 * WEIGHT, true);
        List.of("a", "b", "c", "d").forEach(name -> crowd.add(word(name)));
        assertEquals("ab", names(crowd.take(2, Integer.MAX_VALUE)));
        crowd.add(word("e"));
        crowd.add(word("f"));
        crowd.add(word("g"));
        assertEquals("cef", names(crowd.take(9, Integer.MAX_VALUE)));
        assertEquals("", names(crowd.take(9, Integer.MAX_VALUE)));
    }

    @Test
    void aMessageHasOnlySoManyBytesButForOneWordThatIsLonger() {
        Crowd crowd = new Crowd(Integer.MAX_VALUE, true);
        List.of("a", "b", "c", "x".repeat(3 * WEIGHT), "d").forEach(name -> crowd.add(word(name)));
        assertEquals("ab", names(crowd.take(9, 2 * WEIGHT + 1)));
        assertEquals("c", names(crowd.take(9, 2 * WEIGHT + 1)));
        assertEquals("x".repeat(3 * WEIGHT), names(crowd.take(9, 2 * WEIGHT + 1)));
        assertEquals("d", names(crowd.take(9, 2 * WEIGHT + 1)));
    }

    @Test
    void onlySoManyMessagesAreUnderWayAtOnce() {
        Crowd crowd = new Crowd(Integer.MAX_VALUE, true);
        assertFalse(crowd.mayBeTold(), "there is nothing to tell");
        for (int i = 0; i < Crowd.MESSAGES; i++) {
            crowd.add(word("a"));
            assertTrue(crowd.mayBeTold());
            assertEquals("a", names(crowd.take(9, Integer.MAX_VALUE)));
        }
        crowd.add(word("b"));
        assertFalse(crowd.mayBeTold());
        crowd.over();
        assertTrue(crowd.mayBeTold());
    }

    @Test
    void whatWasNotTakenIsToldOnceMoreAndWhatNobodyHeardAsOftenAsNeeded() {
        Crowd crowd = new Crowd(Integer.MAX_VALUE, true);
        crowd.add(word("a"));
        for (int i = 0; i < 5; i++) {
            List<Crowd.Waiting> some = crowd.take(9, Integer.MAX_VALUE);
            assertEquals("a", names(some));
            crowd.unheard(some);
        }
        crowd.notTaken(crowd.take(9, Integer.MAX_VALUE));
        crowd.unheard(crowd.take(9, Integer.MAX_VALUE));
        List<Crowd.Waiting> again = crowd.take(9, Integer.MAX_VALUE);
        assertEquals("a", names(again));
        crowd.notTaken(again);
        assertEquals("", names(crowd.take(9, Integer.MAX_VALUE)));
    }

    @Test
    void whatMustNotBeHeardTwiceIsNotToldAgainIfItMayHaveBeenHeard() {
        for (boolean harmless : new boolean[] {true, false}) {
            Crowd crowd = new Crowd(Integer.MAX_VALUE, harmless);
            crowd.add(word("a"));
            crowd.unanswered(crowd.take(9, Integer.MAX_VALUE));
            assertEquals(harmless ? "a" : "", names(crowd.take(9, Integer.MAX_VALUE)));
        }
    }
}
