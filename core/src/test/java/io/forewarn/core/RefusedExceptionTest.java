package io.forewarn.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

final class RefusedExceptionTest {
    private static String message(String sentence) {
        return new RefusedException(Problem.BAD_INPUT, sentence).getMessage();
    }

    @Test
    void ourOwnMessagesAreNotShortened() {
        String sentence = "notice must be a duration such as 30s, not 'soon'; ".repeat(20);
        assertEquals(sentence, message(sentence));
        assertEquals("one\ntwo\n" + "three ".repeat(50), message("one\ntwo\n" + "three ".repeat(50)));
    }

    @Test
    void longWordsAreShortenedToTheirBeginning() {
        assertEquals(
                "by must be a duration, not '" + "x".repeat(199) + "…'; 15m would be right",
                message("by must be a duration, not '" + "x".repeat(1 << 20) + "'; 15m would be right"));
        String clef = "\uD834\uDD1E";
        assertEquals("a" + clef.repeat(99) + "…", message("a" + clef.repeat(1000)));
    }

    @Test
    void longInputDoesNotHideTheSuggestion() {
        String message = message("'" + "a b ".repeat(1 << 18) + "' is no name; a short one would be right");
        assertTrue(message.length() < 1600, message);
        assertTrue(message.endsWith("' is no name; a short one would be right"), message);
        String lines = message("'" + "x\n".repeat(1 << 19) + "' is no name");
        assertTrue(lines.length() < 3000, lines);
    }
}
