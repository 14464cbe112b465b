package io.forewarn.server.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

final class BodyBudgetTest {
    @Test
    void theBudgetIsNeverExceededAndNoHolderGetsMoreThanHalf() {
        BodyBudget budget = new BodyBudget(100);
        BodyBudget.Account first = budget.open("a");
        BodyBudget.Account second = budget.open("a");
        BodyBudget.Account third = budget.open("b");
        assertTrue(first.take(30));
        assertTrue(second.take(20));
        assertFalse(second.take(1));
        assertTrue(third.take(50));
        assertFalse(budget.open("c").take(1));
        first.close();
        first.close();
        assertFalse(first.take(1));
        assertTrue(budget.open("c").take(30));
        assertEquals(100, budget.taken());
        second.close();
        assertEquals(80, budget.taken());
    }

    @Test
    void aSmallHeapHasRoomForAFewAndALargeOneIsNotFilled() {
        assertTrue(BodyBudget.ofHeap(16 << 20, 2).open("a").take(2 << 20));
        assertFalse(BodyBudget.ofHeap(64L << 30, 2).open("a").take(65 << 20));
    }
}
