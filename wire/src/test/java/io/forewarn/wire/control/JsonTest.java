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
import java.util.Map;
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
    void anAnswerIsReadAsItWasWritten() throws IOException {
        TenantBody tenant = new TenantBody(
                "shop",
                1,
                2,
                3,
                4,
                5,
                List.of("web", "db"),
                List.of(),
                null,
                List.of("host-1"),
                Map.of("groups", new QuotaBody(1, Long.MAX_VALUE, true)));
        assertEquals(tenant, Json.answer(TenantBody.class, Json.write(tenant)));
        EtcdMemberBody member = new EtcdMemberBody("http://[::1]:2379", "a\u0001\"", true, false, 5L, null, null);
        assertEquals(member, Json.answer(EtcdMemberBody.class, Json.write(member)));
        StatusBody lag =
                Json.answer(StatusBody.class, bytes("{\"lagSeconds\":1.5,\"events\":{\"Started\":2},\"now\":5}"));
        assertEquals(1.5, lag.lagSeconds());
        assertEquals(Map.of("Started", 2), lag.events());
        assertEquals("5", lag.now());
    }

    @Test
    void nullInAnAnswerIsTheSameAsAbsent() throws IOException {
        assertEquals(
                new QuotaBody(0, 0, false),
                Json.answer(QuotaBody.class, bytes("{\"used\":null,\"limit\":null,\"usesDefault\":null}")));
        assertEquals(new ClockBody(null, null), Json.answer(ClockBody.class, bytes("{\"clock\":null}")));
    }

    @Test
    void anAnswerThatDoesNotFitIsNotRead() {
        for (String strange : List.of(
                "",
                "{",
                "[]",
                "1",
                "\"a\"",
                "<html>",
                "{\"groupNames\":\"web\"}",
                "{\"groupNames\":[null]}",
                "{\"groups\":1.5}",
                "{\"groups\":99999999999}",
                "{\"name\":{}}",
                "{\"quotas\":{\"groups\":1}}",
                "{\"hosts\":" + "[".repeat(1000))) {
            assertThrows(IOException.class, () -> Json.answer(TenantBody.class, bytes(strange)), strange);
        }
    }

    @Test
    void whatFollowsAListIsGivenAsJson() throws IOException {
        List<ClockBody> got = new ArrayList<>();
        Map<String, String> behind = Json.each(
                ClockBody.class,
                new ByteArrayInputStream(bytes(
                        "{\"n\":1,\"clocks\":[{\"clock\":\"a\"}],\"next\":\"x\",\"sum\":{\"a\":[1,null]},\"z\":2}")),
                got::add);
        assertEquals(List.of(new ClockBody("a", null)), got);
        assertEquals(Map.of("next", "x", "sum", "{\"a\":[1,null]}", "z", "2"), behind);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
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
