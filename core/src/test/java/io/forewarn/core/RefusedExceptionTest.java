package io.forewarn.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

final class RefusedExceptionTest {
    private static String told(String sentence) {
        return new RefusedException(Problem.BAD_INPUT, sentence).getMessage();
    }

    @Test
    void ourOwnMessagesAreNotShortened() {
        String sentence = "notice must be a duration such as 30s, not 'soon'; ".repeat(20);
        assertEquals(sentence, told(sentence));
        assertEquals("one\ntwo\n" + "three ".repeat(50), told("one\ntwo\n" + "three ".repeat(50)));
    }

    @Test
    void longWordsAreShortenedToTheirBeginning() {
        assertEquals(
                "by must be a duration, not '" + "x".repeat(199) + "…'; 15m would be right",
                told("by must be a duration, not '" + "x".repeat(1 << 20) + "'; 15m would be right"));
        String clef = "\uD834\uDD1E";
        assertEquals("a" + clef.repeat(99) + "…", told("a" + clef.repeat(1000)));
    }

    @Test
    void longInputDoesNotHideTheSuggestion() {
        String told = told("'" + "a b ".repeat(1 << 18) + "' is no name; a short one would be right");
        assertTrue(told.length() < 1600, told);
        assertTrue(told.endsWith("' is no name; a short one would be right"), told);
        String lines = told("'" + "x\n".repeat(1 << 19) + "' is no name");
        assertTrue(lines.length() < 3000, lines);
    }
}
