package io.forewarn.server.boot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

final class ConnectionBudgetTest {
    private static final String HEAD = "Limit                     Soft Limit           Hard Limit           Units\n";

    @Test
    void remainingDescriptorsAreShared() {
        ConnectionBudget room = ConnectionBudget.of(
                HEAD + "Max open files            900                  900        files\n", 72, Long.MAX_VALUE);
        assertEquals(277, room.metadata());
        assertEquals(39, room.control());
    }

    @Test
    void aFewAreAlwaysServed() {
        ConnectionBudget room = ConnectionBudget.of(
                HEAD + "Max open files            100                  100        files\n", 90, Long.MAX_VALUE);
        assertEquals(64, room.metadata() + room.control());
    }

    @Test
    void noLimitIsNone() {
        ConnectionBudget room =
                ConnectionBudget.of(HEAD + "Max open files   unlimited   unlimited   files\n", 50, Long.MAX_VALUE);
        assertTrue(room.control() > 100_000_000);
        assertTrue(ConnectionBudget.ofThisProcess().control() > 0);
    }

    @Test
    void aSmallHeapHoldsFewer() {
        ConnectionBudget room = ConnectionBudget.of(HEAD + "Max open files   20000   20000   files\n", 50, 64 << 20);
        assertEquals(4096, room.metadata() + room.control());
    }
}
