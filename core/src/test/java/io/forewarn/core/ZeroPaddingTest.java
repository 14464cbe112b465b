package io.forewarn.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class ZeroPaddingTest {
    @Test
    void numbersSortAsText() {
        assertEquals("00007", ZeroPadding.pad(7, 5));
        assertEquals("12345", ZeroPadding.pad(12345, 5));
        assertEquals("0".repeat(19), ZeroPadding.pad(0, 19));
        assertEquals("" + Long.MAX_VALUE, ZeroPadding.pad(Long.MAX_VALUE, 19));
        assertTrue(ZeroPadding.pad(99, 5).compareTo(ZeroPadding.pad(100, 5)) < 0);
    }
}
