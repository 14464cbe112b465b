package io.forewarn.server.forward;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

class ForwardBufferTest {
    private static ForwardedCommand word(String machine) {
        return new ForwardedCommand("sight", "t", "g", machine, null, null, null, null, null, null, null, null);
    }

    private static final int WEIGHT = word("a").size();

    private static String names(List<ForwardBuffer.Waiting> some) {
        return String.join("", some.stream().map(one -> one.command().machine()).toList());
    }

    @Test
    void messagesBeyondTheLimitAreDropped() {
        ForwardBuffer buffer = new ForwardBuffer(3 * WEIGHT, true);
        List.of("a", "b", "c", "d").forEach(name -> buffer.add(word(name)));
        assertEquals("ab", names(buffer.take(2, Integer.MAX_VALUE)));
        buffer.add(word("e"));
        buffer.add(word("f"));
        buffer.add(word("g"));
        assertEquals("cef", names(buffer.take(9, Integer.MAX_VALUE)));
        assertEquals("", names(buffer.take(9, Integer.MAX_VALUE)));
    }

    @Test
    void aMessageIsLimitedInBytesExceptForASingleLargeCommand() {
        ForwardBuffer buffer = new ForwardBuffer(Integer.MAX_VALUE, true);
        List.of("a", "b", "c", "x".repeat(3 * WEIGHT), "d").forEach(name -> buffer.add(word(name)));
        assertEquals("ab", names(buffer.take(9, 2 * WEIGHT + 1)));
        assertEquals("c", names(buffer.take(9, 2 * WEIGHT + 1)));
        assertEquals("x".repeat(3 * WEIGHT), names(buffer.take(9, 2 * WEIGHT + 1)));
        assertEquals("d", names(buffer.take(9, 2 * WEIGHT + 1)));
    }

    @Test
    void onlySoManyMessagesAreUnderWayAtOnce() {
        ForwardBuffer buffer = new ForwardBuffer(Integer.MAX_VALUE, true);
        assertFalse(buffer.startMessage(), "there is nothing to tell");
        for (int i = 0; i < ForwardBuffer.MESSAGES; i++) {
            buffer.add(word("a"));
            assertTrue(buffer.startMessage());
            assertEquals("a", names(buffer.take(9, Integer.MAX_VALUE)));
        }
        buffer.add(word("b"));
        assertFalse(buffer.startMessage());
        buffer.over();
        assertTrue(buffer.startMessage());
    }

    @Test
    void refusedMessagesAreRetriedOnceAndUndeliveredOnesAsOftenAsNeeded() {
        ForwardBuffer buffer = new ForwardBuffer(Integer.MAX_VALUE, true);
        buffer.add(word("a"));
        for (int i = 0; i < 5; i++) {
            List<ForwardBuffer.Waiting> some = buffer.take(9, Integer.MAX_VALUE);
            assertEquals("a", names(some));
            buffer.undelivered(some);
        }
        buffer.refused(buffer.take(9, Integer.MAX_VALUE));
        buffer.undelivered(buffer.take(9, Integer.MAX_VALUE));
        List<ForwardBuffer.Waiting> again = buffer.take(9, Integer.MAX_VALUE);
        assertEquals("a", names(again));
        buffer.refused(again);
        assertEquals("", names(buffer.take(9, Integer.MAX_VALUE)));
    }

    @Test
    void nonIdempotentRequestsAreNotRetriedIfTheyMayHaveArrived() {
        for (boolean harmless : new boolean[] {true, false}) {
            ForwardBuffer buffer = new ForwardBuffer(Integer.MAX_VALUE, harmless);
            buffer.add(word("a"));
            buffer.unknown(buffer.take(9, Integer.MAX_VALUE));
            assertEquals(harmless ? "a" : "", names(buffer.take(9, Integer.MAX_VALUE)));
        }
    }
}
