package io.forewarn.server.boot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

final class DescriptorsTest {
    private static final String HEAD = "Limit                     Soft Limit           Hard Limit           Units\n";

    @Test
    void whatIsLeftIsSharedOut() {
        Descriptors room =
                Descriptors.of(HEAD + "Max open files            500                  500        files\n", 72);
        assertEquals(263, room.metadata().availablePermits());
        assertEquals(37, room.control().availablePermits());
    }

    @Test
    void aFewAreAlwaysServed() {
        Descriptors room =
                Descriptors.of(HEAD + "Max open files            100                  100        files\n", 90);
        assertEquals(64, room.metadata().availablePermits() + room.control().availablePermits());
    }

    @Test
    void noLimitIsNone() {
        Descriptors room = Descriptors.of(HEAD + "Max open files   unlimited   unlimited   files\n", 50);
        assertTrue(room.control().availablePermits() > 100_000_000);
        assertTrue(Descriptors.ofThisProcess().control().availablePermits() > 0);
    }
}
