package io.forewarn.wire.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.forewarn.core.Problem;
import io.forewarn.core.RefusedException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class JsonTest {
    @Test
    void absentThingsAreLeftOut() {
        assertEquals(
                "{\"clock\":\"system\"}",
                new String(Json.write(new ClockBody("system", null)), StandardCharsets.UTF_8));
    }

    @Test
    void aMisspeltFieldIsRefusedWithTheRightOne() {
        assertEquals("the body has an unknown field 'notise'; did you mean 'notice'?", refusal("{\"notise\":\"5m\"}"));
    }

    @Test
    void aWrongTypeIsRefusedWithItsPlace() {
        assertTrue(refusal("{\"machines\":\"a\"}").contains("'machines'"));
        assertTrue(refusal("[]").contains("does not fit this path"));
        assertTrue(refusal("{").contains("not"));
        assertTrue(refusal("null").contains("null"));
        assertTrue(refusal("{\"machines\":" + "[".repeat(1000)).startsWith("the body"));
    }

    /** What the library says of a wrong value names classes, which nobody who writes JSON knows. */
    @Test
    void errorsDescribeTheExpectedJson() {
        String begin = "the body does not fit this path: ";
        assertEquals(begin + "'machines' must be a list", refusal("{\"machines\":\"a\"}"));
        assertEquals(begin + "'notice' must be a text", refusal("{\"notice\":[]}"));
        assertEquals(begin + "'rehearsal' must be true or false", refusal("{\"rehearsal\":{}}"));
        assertEquals(begin + "it must be an object", refusal("[]"));
        for (String body :
                List.of("{\"machines\":" + "[".repeat(1000), "\"", "{\"machines\":[{}]}", "1", "{\"a", "\0")) {
            assertFalse(
                    refusal(body).matches("(?s).*([a-z]+\\.[a-z]+\\.|Exception|StreamRead|ArrayList).*"),
                    refusal(body));
        }
    }

    @Test
    void anAnswerMayHoldMoreThanIsKnown() throws IOException {
        assertEquals(
                new ClockBody("manual", "t"),
                Json.answer(
                        ClockBody.class,
                        "{\"clock\":\"manual\",\"now\":\"t\",\"new\":1}".getBytes(StandardCharsets.UTF_8)));
    }

    @Test
    void aListThatBreaksOffIsNoticed() {
        byte[] half = "{\"clocks\":[{\"clock\":\"a\"},{\"clock\":".getBytes(StandardCharsets.UTF_8);
        List<ClockBody> got = new ArrayList<>();
        assertThrows(IOException.class, () -> Json.each(ClockBody.class, new ByteArrayInputStream(half), got::add));
        assertEquals(1, got.size());
    }

    private static String refusal(String body) {
        RefusedException refusal = assertThrows(
                RefusedException.class, () -> Json.request(ActionRequest.class, body.getBytes(StandardCharsets.UTF_8)));
        assertEquals(Problem.BAD_INPUT, refusal.problem());
        return refusal.getMessage();
    }
}
