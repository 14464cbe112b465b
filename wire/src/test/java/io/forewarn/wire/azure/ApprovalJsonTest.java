package io.forewarn.wire.azure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.forewarn.core.Problem;
import io.forewarn.core.RefusedException;
import io.forewarn.core.event.EventId;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ApprovalJsonTest {
    private static final String ID = "f020ba2e-3bc0-4c40-a10b-86575a9eabd5";
    private static final EventId EVENT = EventId.parse(ID).orElseThrow();

    @Test
    void theBodyOfThePageIsUnderstood() {
        assertEquals(
                List.of(EVENT),
                parse("{\"DocumentIncarnation\":\"5\", \"StartRequests\": [{\"EventId\": \"" + ID + "\"}]}"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"5\"", "5", "-1", "null", "{\"a\":[1,{}]}", "1e400"})
    void theIncarnationAndOtherMembersAreIgnored(String incarnation) {
        String body = "{\"DocumentIncarnation\":" + incarnation + ",\"StartRequests\":[{\"EventId\":\"" + ID
                + "\",\"x\":[]}],\"more\":" + incarnation + "}";
        assertEquals(List.of(EVENT), parse(body));
    }

    @Test
    void anIdIsReadWithoutRegardToCaseAndMayComeTwice() {
        String upper = EVENT.toString();
        assertEquals(
                List.of(EVENT, EVENT),
                parse("{\"StartRequests\":[{\"EventId\":\"" + ID + "\"},{\"EventId\":\"" + upper + "\"}]}"));
    }

    @Test
    void aByteOrderMarkIsTolerated() {
        assertEquals(List.of(EVENT), parse("\ufeff{\"StartRequests\":[{\"EventId\":\"" + ID + "\"}]}"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "`` | body is empty",
                "`  ` | body is blank",
                "hello | not JSON",
                "{\"StartRequests\":[ | not JSON",
                "{\"StartRequests\":[{\"EventId\":\"x\"}] | not JSON",
                "StartRequests=1 | not JSON",
                "[] | not an object",
                "7 | not an object",
                "{} | StartRequests is missing",
                "{\"startrequests\":[]} | StartRequests is missing",
                "{\"StartRequests\":{}} | not a list",
                "{\"StartRequests\":null} | not a list",
                "{\"StartRequests\":\"x\"} | not a list",
                "{\"StartRequests\":[]} | StartRequests is empty",
                "{\"StartRequests\":[1]} | not an object",
                "{\"StartRequests\":[[]]} | not an object",
                "{\"StartRequests\":[{}]} | no EventId",
                "{\"StartRequests\":[{\"EventId\":5}]} | not a string",
                "{\"StartRequests\":[{\"EventId\":null}]} | not a string",
                "{\"StartRequests\":[{\"EventId\":\"five\"}]} | no event five",
                "{\"StartRequests\":[{\"EventId\":\"\"}]} | no event",
                "{\"StartRequests\":[],\"StartRequests\":[]} | twice",
                "{\"StartRequests\":[]} {} | after the JSON object",
            })
    void aWrongBodyIsRefusedAndSaysWhatIsWrong(String body, String says) {
        RefusedException refusal = assertThrows(RefusedException.class, () -> parse(body));
        assertEquals(Problem.BAD_INPUT, refusal.problem());
        assertTrue(refusal.getMessage().contains(says), refusal.getMessage());
    }

    @Test
    void aDeepBodyIsRefusedWithoutHarm() {
        String deep = "{\"x\":" + "[".repeat(60_000);
        assertThrows(RefusedException.class, () -> parse(deep));
    }

    @Test
    void randomBytesAreRefusedAndNothingElseHappens() {
        Random random = new Random(2017);
        byte[] right = ("{\"StartRequests\":[{\"EventId\":\"" + ID + "\"}]}").getBytes(StandardCharsets.UTF_8);
        for (int i = 0; i < 20_000; i++) {
            ByteArrayOutputStream body = new ByteArrayOutputStream();
            body.write(right, 0, random.nextInt(right.length));
            byte[] noise = new byte[1 + random.nextInt(8)];
            random.nextBytes(noise);
            body.writeBytes(noise);
            try {
                assertEquals(List.of(EVENT), ApprovalJson.parse(body.toByteArray()));
            } catch (RefusedException refusal) {
                assertEquals(Problem.BAD_INPUT, refusal.problem());
            }
        }
    }

    private static List<EventId> parse(String body) {
        return ApprovalJson.parse(body.getBytes(StandardCharsets.UTF_8));
    }
}
