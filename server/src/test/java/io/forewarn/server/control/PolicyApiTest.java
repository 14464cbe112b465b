package io.forewarn.server.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.forewarn.server.control.ControlHarness.Reply;
import io.forewarn.wire.control.PolicyBody;
import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class PolicyApiTest {
    @TempDir
    private Path folder;

    private ControlHarness harness;

    @BeforeEach
    void open() throws IOException {
        harness = new ControlHarness(folder, Map.of());
    }

    @AfterEach
    void close() {
        harness.close();
    }

    private String restart(String machine) throws Exception {
        Reply reply = harness.post("/v1/machines/" + machine + "/restart", "");
        assertEquals(200, reply.status(), reply.error());
        return reply.json().at("/events/0/id").asText();
    }

    @Test
    void whenPoliciesLetNothingStartIsListedAsTimes() throws Exception {
        harness.post(
                "/v1/policies",
                "{\"group\":\"web\",\"windows\":[\"sat 22:00 4h UTC\"],\"blackouts\":[\"2030-01-04 18:00..2030-01-07 08:00 UTC\"]}");
        harness.post("/v1/policies", "{\"notice\":\"30m\"}");
        JsonNode all = harness.get("/v1/policies/closed-times?from=2030-01-05T00:00:00Z&until=2030-01-13T00:00:00Z")
                .json()
                .path("closedTimes");
        assertEquals(1, all.size(), "the other policy sets neither windows nor blackouts: " + all);
        assertEquals("web", all.at("/0/group").asText());
        assertEquals(
                "[{\"from\":\"2030-01-05T00:00:00Z\",\"until\":\"2030-01-07T08:00:00Z\"}]",
                all.at("/0/blackouts").toString());
        assertEquals(
                "[{\"from\":\"2030-01-05T00:00:00Z\",\"until\":\"2030-01-05T22:00:00Z\"},"
                        + "{\"from\":\"2030-01-06T02:00:00Z\",\"until\":\"2030-01-12T22:00:00Z\"}]",
                all.at("/0/outsideWindows").toString());
        Reply tooLong = harness.get("/v1/policies/closed-times?from=2030-01-05T00:00:00Z&until=2032-01-05T00:00:00Z");
        assertEquals(400, tooLong.status());
        assertTrue(tooLong.error().contains("400 days"), tooLong.error());
    }

    @Test
    void policiesAreSetListedMergedAndRemoved() throws Exception {
        assertEquals(
                200,
                harness.post("/v1/policies", "{\"group\":\"web\",\"notice\":\"30m\"}")
                        .status());
        Reply merged = harness.post("/v1/policies", "{\"group\":\"web\",\"approval\":\"all\",\"windows\":[]}");
        assertEquals("30m", merged.json().path("notice").asText());
        assertEquals("all", merged.json().path("approval").asText());
        harness.post("/v1/policies", "{\"type\":\"freeze\",\"seenByAll\":false}");
        JsonNode all = harness.get("/v1/policies").json().path("policies");
        assertEquals(2, all.size());
        assertEquals("freeze", all.path(0).path("type").asText());
        assertEquals("web", all.path(1).path("group").asText());
        assertEquals(200, harness.delete("/v1/policies?group=web").status());
        assertEquals(404, harness.delete("/v1/policies?group=web").status());
        assertEquals(1, harness.get("/v1/policies").json().path("policies").size());
    }

    @Test
    void invalidRequestsAreRefusedAndChangeNothing() throws Exception {
        String[][] wrong = {
            {"{\"group\":\"web\"}", "says nothing"},
            {"{\"group\":\"wep\",\"notice\":\"30m\"}", "did you mean web?"},
            {"{\"notice\":\"1m\"}", "at least 15m"},
            {"{\"notice\":\"soon\"}", "notice must be a duration"},
            {"{\"type\":\"storm\",\"notice\":\"30m\"}", "type must be"},
            {"{\"approval\":\"0\"}", "any, all, or 1"},
            {"{\"windows\":[\"sat 01:00 0s UTC\"]}", "must have a length"},
            {"{\"windows\":[\"sat 01:00 1h Europe/Berlon\"]}", "did you mean Europe/Berlin?"},
            {"{\"blackouts\":[\"2027-01-02..2027-01-01\"]}", "ends before it begins"},
            {"{\"blackouts\":[\"2020-01-01..2199-01-01\"]}", "leave no moment open"},
            {"{\"group\":\"web\",\"userOperations\":20}", "counted per tenant"},
            {"{\"userOperations\":0}", "1 up to 1000"},
            {"{\"notise\":\"30m\"}", "did you mean 'notice'?"}
        };
        for (String[] each : wrong) {
            Reply reply = harness.post("/v1/policies", each[0]);
            assertTrue(reply.status() == 400 || reply.status() == 404, each[0]);
            assertTrue(reply.error().contains(each[1]), reply.error());
        }
        assertEquals(0, harness.get("/v1/policies").json().path("policies").size());
    }

    @Test
    void anEventSaysWhichRuleSetWhichValueAndWhatHoldsIt() throws Exception {
        harness.post("/v1/policies", "{\"notice\":\"20m\"}");
        harness.post("/v1/policies", "{\"group\":\"web\",\"approval\":\"all\",\"seenByAll\":true}");
        String id = restart("FrontEnd_IN_0");
        JsonNode explained = harness.get("/v1/events/" + id + "/policy").json();
        assertEquals("notice", explained.at("/values/0/name").asText());
        assertEquals("20m", explained.at("/values/0/value").asText());
        assertEquals(
                "the policy of tenant default", explained.at("/values/0/source").asText());
        assertEquals(
                "the policy of group default/web",
                explained.at("/values/1/source").asText());
        assertEquals(
                "the terms of the service", explained.at("/values/2/source").asText());
        Set<String> settable = Arrays.stream(PolicyBody.class.getRecordComponents())
                .map(RecordComponent::getName)
                .collect(Collectors.toSet());
        explained
                .path("values")
                .forEach(v -> assertTrue(settable.contains(v.path("name").asText()), "as in a policy: " + v));
        String held = explained.path("blockers").toString();
        assertTrue(held.contains("its notice, unless it is approved"), held);
        assertTrue(held.contains("0 of 1 machines are ready"), held);
        assertTrue(held.contains("not seen yet by FrontEnd_IN_0"), held);
        JsonNode shown = harness.get("/v1/events/" + id).json();
        assertEquals(explained.path("values"), shown.path("policy"));
        assertEquals(explained.path("blockers"), shown.path("blockers"));
    }

    @Test
    void anOwnerPostponesAsFarAsThePolicyAllows() throws Exception {
        String id = restart("FrontEnd_IN_0");
        Reply forbidden = harness.post("/v1/events/" + id + "/postpone", "{\"by\":\"1h\"}");
        assertEquals(403, forbidden.status());
        assertTrue(forbidden.error().contains("--postpone 3x2h"), forbidden.error());
        harness.post("/v1/policies", "{\"group\":\"web\",\"ownerPostponements\":\"1x2h\"}");
        assertEquals(400, harness.post("/v1/events/" + id + "/postpone", "{}").status());
        Reply postponed = harness.post("/v1/events/" + id + "/postpone", "{\"by\":\"1h\"}");
        assertEquals(
                "person", postponed.json().at("/events/0/postponements/0/by").asText());
        assertEquals(
                postponed.json().at("/events/0/postponements/0/until"),
                postponed.json().at("/events/0/notBefore"));
        assertEquals(
                409,
                harness.post("/v1/events/" + id + "/postpone", "{\"by\":\"1h\"}")
                        .status());
        assertEquals(
                404,
                harness.post("/v1/events/00000000-0000-0000-0000-000000000000/postpone", "{\"by\":\"1h\"}")
                        .status());
    }

    @Test
    void aTokenOfATenantSetsThatTenantsPoliciesAndNotItsLimit() throws Exception {
        String secret = harness.post("/v1/tokens", "{\"name\":\"team\",\"tenant\":\"default\"}")
                .json()
                .path("secret")
                .asText();
        String other = harness.post("/v1/tokens", "{\"name\":\"shop\",\"tenant\":\"shop\"}")
                .json()
                .path("secret")
                .asText();
        String body = "{\"tenant\":\"default\",\"group\":\"web\",\"notice\":\"30m\"}";
        assertEquals(
                404, harness.ask("POST", "/v1/policies", body, other, Map.of()).status());
        assertEquals(
                200, harness.ask("POST", "/v1/policies", body, secret, Map.of()).status());
        assertEquals(
                403,
                harness.ask("POST", "/v1/policies", "{\"userOperations\":20}", secret, Map.of())
                        .status());
        harness.post("/v1/policies", "{\"userOperations\":1}");
        assertEquals(
                403,
                harness.ask("DELETE", "/v1/policies", "", secret, Map.of()).status(),
                "the limit must not go with the policy that holds it");
        harness.delete("/v1/policies");
        assertEquals(
                0,
                harness.ask("GET", "/v1/policies", "", other, Map.of())
                        .json()
                        .path("policies")
                        .size());
    }
}
