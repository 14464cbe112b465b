package io.forewarn.server.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import biweekly.Biweekly;
import biweekly.ICalendar;
import biweekly.component.VEvent;
import biweekly.property.Status;
import io.forewarn.server.control.ControlHarness.Reply;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Reads feeds with another library than the one that writes them. */
final class CalendarApiTest {
    @TempDir
    private Path folder;

    private ControlHarness harness;

    @BeforeEach
    void open() throws Exception {
        harness = new ControlHarness(folder, Map.of());
        harness.put("/v1/fleet", """
                groups:
                  - {name: web, tenant: shop, kind: availability-set, update-domains: 2}
                machines:
                  - {name: web-1, tenant: shop, group: web, host: h1}
                  - {name: web-2, tenant: shop, group: web, host: h2}
                  - {name: till, tenant: shop}
                  - {name: vault, tenant: bank, host: h1}
                """);
        harness.post("/v1/policies", "{\"tenant\":\"shop\",\"ownerPostponements\":\"3x2h\",\"userOperations\":1000}");
    }

    @AfterEach
    void close() {
        harness.close();
    }

    private String token(String more) throws Exception {
        Reply made = harness.post("/v1/tokens", "{\"name\":\"work\",\"role\":\"calendar\"" + more + "}");
        assertEquals(200, made.status(), made.error());
        return made.json().path("secret").asText();
    }

    /** As a calendar program asks: with nothing but the URL. */
    private Reply subscribe(String secret, String more) throws Exception {
        return harness.ask("GET", "/v1/calendar.ics?token=" + secret + more, "", null, Map.of());
    }

    private static List<VEvent> events(Reply reply) {
        assertEquals(200, reply.status(), reply.response().body());
        ICalendar calendar = Biweekly.parse(reply.response().body()).first();
        assertTrue(
                calendar.validate(biweekly.ICalVersion.V2_0).isEmpty()
                        || calendar.getEvents().isEmpty(),
                () -> calendar.validate(biweekly.ICalVersion.V2_0).toString());
        return calendar.getEvents();
    }

    private static Instant ends(VEvent event) {
        return event.getDateEnd().getValue().toInstant();
    }

    private static Duration length(VEvent event) {
        return Duration.between(starts(event), ends(event));
    }

    private static VEvent about(Reply reply, String machine) {
        return find(reply, machine)
                .orElseThrow(() -> new AssertionError(reply.response().body()));
    }

    private static Optional<VEvent> find(Reply reply, String machine) {
        return events(reply).stream()
                .filter(event -> event.getSummary().getValue().contains(" " + machine))
                .findFirst();
    }

    private static Instant starts(VEvent event) {
        return event.getDateStart().getValue().toInstant();
    }

    private String restart(String machine) throws Exception {
        Reply reply = harness.post("/v1/machines/shop%2F" + machine + "/restart", "");
        assertEquals(200, reply.status(), reply.error());
        return reply.json().at("/events/0/id").asText();
    }

    private Instant notBefore(String event) throws Exception {
        return Instant.parse(
                harness.get("/v1/events/" + event).json().path("notBefore").asText());
    }

    @Test
    void aFeedShowsWhatHappensToWhichMachineAndWhen() throws Exception {
        String event = restart("web-1");
        Reply reply = subscribe(token(",\"tenant\":\"shop\""), "");
        assertEquals(
                "text/calendar; charset=utf-8",
                reply.response().headers().firstValue("Content-Type").orElseThrow());
        VEvent work = about(reply, "web-1");
        assertEquals("reboot of web-1", work.getSummary().getValue());
        assertEquals(notBefore(event), starts(work));
        assertTrue(work.getDateEnd().getValue().toInstant().isAfter(starts(work)));
        assertEquals(Status.confirmed(), work.getStatus());
        assertEquals(event + "@forewarn", work.getUid().getValue());
        assertTrue(work.getDescription().getValue().contains("Group: shop/web"));
    }

    @Test
    void aMoveAndACancellationAreRevisionsOfTheSameEntry() throws Exception {
        String secret = token(",\"tenant\":\"shop\"");
        String event = restart("web-1");
        VEvent first = about(subscribe(secret, ""), "web-1");
        assertEquals(
                200,
                harness.post("/v1/events/" + event + "/postpone", "{\"by\":\"1h\"}")
                        .status());
        VEvent moved = about(subscribe(secret, ""), "web-1");
        assertEquals(first.getUid(), moved.getUid());
        assertEquals(Duration.ofHours(1), Duration.between(starts(first), starts(moved)));
        assertTrue(
                moved.getSequence().getValue() > first.getSequence().getValue(),
                moved.getSequence().toString());
        harness.post("/v1/events/" + event + "/cancel", "");
        VEvent cancelled = about(subscribe(secret, ""), "web-1");
        assertEquals(first.getUid(), cancelled.getUid());
        assertEquals(Status.cancelled(), cancelled.getStatus());
        assertEquals(starts(moved), starts(cancelled));
        assertTrue(cancelled.getSequence().getValue() > moved.getSequence().getValue());
        harness.post("/v1/clock/advance", "{\"by\":\"31d\"}");
        assertEquals(List.of(), events(subscribe(secret, "")));
    }

    @Test
    void workThatIsDoneStaysAtTheTimeItTook() throws Exception {
        String secret = token(",\"tenant\":\"shop\"");
        String event = restart("web-1");
        VEvent scheduled = about(subscribe(secret, ""), "web-1");
        harness.post("/v1/clock/advance", "{\"by\":\"5m\"}");
        harness.post("/v1/events/" + event + "/approve", "");
        VEvent started = about(subscribe(secret, ""), "web-1");
        assertEquals(Duration.ofMinutes(10), Duration.between(starts(started), starts(scheduled)));
        harness.post("/v1/clock/advance", "{\"by\":\"5m\"}");
        VEvent done = about(subscribe(secret, ""), "web-1");
        assertEquals(starts(started), starts(done));
        assertEquals(
                Duration.ofSeconds(90),
                Duration.between(starts(done), done.getDateEnd().getValue().toInstant()));
        assertEquals(scheduled.getUid(), done.getUid());
        assertTrue(started.getSequence().getValue() > scheduled.getSequence().getValue());
        assertTrue(done.getSequence().getValue() > started.getSequence().getValue());
    }

    @Test
    void aFeedOfATenantNamesNoOther() throws Exception {
        harness.post("/v1/rollouts", "{\"name\":\"os-nov\",\"type\":\"reboot\",\"hosts\":[\"h1\"]}");
        String secret = token(",\"tenant\":\"shop\"");
        for (String step : List.of("1s", "20m")) {
            harness.post("/v1/clock/advance", "{\"by\":\"" + step + "\"}");
            Reply own = subscribe(secret, "");
            assertEquals(
                    "reboot of web-1 (rollout os-nov)",
                    about(own, "web-1").getSummary().getValue());
            assertFalse(own.response().body().contains("bank"), own.response().body());
            assertFalse(own.response().body().contains("vault"), own.response().body());
        }
        assertEquals(2, events(harness.get("/v1/calendar.ics?rollout=os-nov")).size());
        assertEquals(404, subscribe(secret, "&tenant=bank").status());
        assertEquals(404, subscribe(secret, "&group=bank%2Fvault").status());
    }

    private void night(String more) throws Exception {
        harness.post("/v1/clock/set", "{\"to\":\"2040-01-02T12:00:00Z\"}");
        Reply started = harness.post(
                "/v1/rollouts",
                "{\"name\":\"os-nov\",\"type\":\"reboot\",\"hosts\":[\"h1\",\"h2\"],\"notice\":\"1h\","
                        + "\"at\":\"2040-01-04T22:00:00Z\"" + more + "}");
        assertEquals(200, started.status(), started.error());
    }

    @Test
    void whatARolloutPlansIsInTheCalendarFromItsStartAndKeepsItsUid() throws Exception {
        night("");
        String secret = token(",\"tenant\":\"shop\"");
        Reply reply = subscribe(secret, "");
        VEvent planned = about(reply, "web-1");
        assertEquals("reboot of web-1 (rollout os-nov)", planned.getSummary().getValue());
        assertEquals(Instant.parse("2040-01-04T22:00:00Z"), starts(planned));
        assertTrue(planned.getDescription().getValue().startsWith("planned: reboot"));
        Instant second = starts(about(reply, "web-2"));
        assertTrue(second.isAfter(starts(planned)), "one update domain after the other");
        assertFalse(reply.response().body().contains("bank"), reply.response().body());
        assertFalse(reply.response().body().contains("vault"), reply.response().body());
        assertEquals(List.of(), summaries(subscribe(secret, "&rollout=os-dec")));
        harness.post("/v1/clock/set", "{\"to\":\"2040-01-04T21:30:00Z\"}");
        VEvent shown = about(subscribe(secret, ""), "web-1");
        assertTrue(shown.getDescription().getValue().startsWith("scheduled: reboot"), shown.toString());
        assertEquals(planned.getUid(), shown.getUid());
        assertEquals(starts(planned), starts(shown));
        assertTrue(shown.getSequence().getValue() >= planned.getSequence().getValue());
        harness.post("/v1/clock/set", "{\"to\":\"2040-01-04T23:59:00Z\"}");
        Reply done = subscribe(secret, "");
        assertEquals(2, events(done).size(), done.response().body());
        assertEquals(planned.getUid(), about(done, "web-1").getUid());
        assertTrue(about(done, "web-1").getSequence().getValue()
                > shown.getSequence().getValue());
    }

    @Test
    void aRehearsalIsCalledOneFromItsPlanToItsEnd() throws Exception {
        night(",\"rehearsal\":true");
        String secret = token(",\"tenant\":\"shop\"");
        String summary = "rehearsal: reboot of web-1 (rollout os-nov)";
        for (String time : List.of("02T12:01", "04T21:30", "04T22:00", "04T23:59")) {
            harness.post("/v1/clock/set", "{\"to\":\"2040-01-" + time + ":00Z\"}");
            VEvent work = about(subscribe(secret, ""), "web-1");
            assertEquals(summary, work.getSummary().getValue(), time);
            assertTrue(
                    work.getDescription().getValue().contains("\nRehearsal: nothing is done to the machines\n"), time);
        }
        String event = harness.post("/v1/machines/shop%2Ftill/restart", "{\"rehearsal\":true}")
                .json()
                .at("/events/0/id")
                .asText();
        String till = "rehearsal: reboot of till";
        assertEquals(till, about(subscribe(secret, ""), "till").getSummary().getValue());
        harness.post("/v1/events/" + event + "/cancel", "{\"reason\":\"another day\"}");
        assertEquals(till, about(subscribe(secret, ""), "till").getSummary().getValue());
    }

    @Test
    void workEndsWhenItsRolloutPlansItsEnd() throws Exception {
        night("");
        String secret = token(",\"tenant\":\"shop\"");
        for (String time : List.of("02T12:01", "04T21:30", "04T22:00")) {
            harness.post("/v1/clock/set", "{\"to\":\"2040-01-" + time + ":00Z\"}");
            Instant planned = Instant.parse(harness.get("/v1/rollouts/os-nov/units")
                    .json()
                    .at("/units/0/endsAt")
                    .asText());
            assertEquals(Instant.parse("2040-01-04T22:01:30Z"), planned, time);
            assertEquals(planned, ends(about(subscribe(secret, ""), "web-1")), time);
        }
    }

    @Test
    void workIsAsLongAsItsDriverKnowsOrTheRequestSays() throws Exception {
        night(",\"duration\":\"12m\"");
        String secret = token(",\"tenant\":\"shop\"");
        restart("till");
        harness.post("/v1/machines/shop%2Fweb-2/redeploy", "{\"duration\":\"0s\"}");
        Reply reply = subscribe(secret, "");
        assertEquals(Duration.ofMinutes(12), length(about(reply, "web-1")));
        assertEquals(Duration.ofSeconds(90), length(about(reply, "till")));
        assertEquals(Duration.ofSeconds(1), length(about(reply, "web-2")), "an entry must not be empty");
    }

    @Test
    void machinesThatAreMovedFirstHaveAnEntryForThatAndNoneForTheWorkOnTheirHost() throws Exception {
        Reply moved = harness.put("/v1/machines/shop%2Fweb-2?only=existing", "{\"host\":\"h1\"}");
        assertEquals(200, moved.status(), moved.error());
        harness.post("/v1/clock/set", "{\"to\":\"2040-01-02T12:00:00Z\"}");
        Reply started = harness.post(
                "/v1/rollouts",
                "{\"name\":\"os-nov\",\"type\":\"reboot\",\"hosts\":[\"h1\"],\"notice\":\"1h\",\"evacuate\":true,"
                        + "\"at\":\"2040-01-04T22:00:00Z\"}");
        assertEquals(200, started.status(), started.error());
        String secret = token(",\"tenant\":\"shop\"");
        Reply planned = subscribe(secret, "");
        assertEquals(
                List.of("redeploy of web-2 (rollout os-nov)", "reboot of web-1 (rollout os-nov)"), summaries(planned));
        assertEquals(Instant.parse("2040-01-04T22:00:00Z"), starts(about(planned, "web-2")));
        assertTrue(starts(about(planned, "web-1")).isAfter(starts(about(planned, "web-2"))));
        assertEquals(Duration.ofMinutes(3), length(about(planned, "web-2")));
        harness.post("/v1/clock/set", "{\"to\":\"2040-01-04T21:30:00Z\"}");
        VEvent shown = about(subscribe(secret, ""), "web-2");
        assertTrue(shown.getDescription().getValue().startsWith("scheduled: redeploy"), shown.toString());
        assertEquals(about(planned, "web-2").getUid(), shown.getUid());
    }

    @Test
    void whatAnAbortCallsOffIsCancelledInTheCalendar() throws Exception {
        night("");
        String secret = token(",\"tenant\":\"shop\"");
        VEvent planned = about(subscribe(secret, ""), "web-2");
        assertEquals(200, harness.post("/v1/rollouts/os-nov/abort", "").status());
        VEvent cancelled = about(subscribe(secret, ""), "web-2");
        assertEquals(planned.getUid(), cancelled.getUid());
        assertEquals(Status.cancelled(), cancelled.getStatus());
        assertTrue(cancelled.getSequence().getValue() > planned.getSequence().getValue());
        harness.post("/v1/clock/advance", "{\"by\":\"31d\"}");
        assertEquals(List.of(), events(subscribe(secret, "")));
    }

    @Test
    void aTokenForAGroupOrARolloutOpensNoMore() throws Exception {
        restart("till");
        harness.post("/v1/rollouts", "{\"name\":\"os-nov\",\"type\":\"reboot\",\"hosts\":[\"h2\"]}");
        harness.post("/v1/clock/advance", "{\"by\":\"1s\"}");
        String group = token(",\"group\":\"shop/web\"");
        assertEquals(List.of("reboot of web-2 (rollout os-nov)"), summaries(subscribe(group, "")));
        assertEquals(404, subscribe(group, "&group=till").status());
        harness.delete("/v1/tokens/work");
        String rollout = token(",\"rollout\":\"os-nov\"");
        assertEquals(List.of("reboot of web-2 (rollout os-nov)"), summaries(subscribe(rollout, "")));
        assertEquals(404, subscribe(rollout, "&rollout=os-dec").status());
        assertEquals(List.of(), summaries(subscribe(rollout, "&tenant=bank")));
    }

    private static List<String> summaries(Reply reply) {
        return events(reply).stream().map(e -> e.getSummary().getValue()).toList();
    }

    @Test
    void aCalendarTokenOpensNothingElseAndNoOtherTokenOpensAUrl() throws Exception {
        String secret = token(",\"tenant\":\"shop\"");
        for (String path : List.of("/v1/status", "/v1/events", "/v1/history", "/v1/machines", "/v1/openapi.json")) {
            assertEquals(403, harness.ask("GET", path, "", secret, Map.of()).status(), path);
        }
        assertEquals(
                403,
                harness.ask("POST", "/v1/machines/till/restart", "", secret, Map.of())
                        .status());
        assertEquals(
                401,
                harness.ask("GET", "/v1/events?token=" + secret, "", null, Map.of())
                        .status());
        assertEquals(
                200,
                harness.ask("GET", "/v1/calendar.ics", "", secret, Map.of()).status());
        Reply refused = subscribe(harness.token(), "");
        assertEquals(401, refused.status());
        assertTrue(refused.error().startsWith("only a calendar token is accepted in a URL"), refused.error());
        assertEquals(401, subscribe("x", "").status());
        assertEquals(200, harness.delete("/v1/tokens/work").status());
        assertEquals(401, subscribe(secret, "").status());
    }

    @Test
    void aClientThatHasTheFeedIsToldSo() throws Exception {
        restart("web-1");
        Reply first = harness.get("/v1/calendar.ics");
        String tag = first.response().headers().firstValue("ETag").orElseThrow();
        harness.post("/v1/clock/advance", "{\"by\":\"1m\"}");
        Reply same =
                harness.ask("GET", "/v1/calendar.ics", "", harness.token(), Map.of("If-None-Match", "\"x\", W/" + tag));
        assertEquals(304, same.status());
        assertEquals("", same.response().body());
        restart("till");
        Reply other = harness.ask("GET", "/v1/calendar.ics", "", harness.token(), Map.of("If-None-Match", tag));
        assertEquals(200, other.status());
        assertNotEquals(tag, other.response().headers().firstValue("ETag").orElseThrow());
    }

    @Test
    void aTokenInAUrlIsNeverLogged() throws Exception {
        String secret = token(",\"tenant\":\"shop\"");
        String end = secret.substring(4);
        assertEquals(200, subscribe(secret, "").status());
        assertEquals(400, subscribe(secret, "&nonsense=1").status());
        assertEquals(404, subscribe(secret, "&tenant=bank").status());
        assertEquals(400, subscribe(secret, "&token=" + secret).status());
        assertEquals(401, subscribe(secret + "x", "").status());
        harness.ask("POST", "/v1/calendar.ics?token=" + secret, "", null, Map.of());
        harness.ask("GET", "/v1/status?token=" + secret, "", harness.token(), Map.of());
        assertFalse(harness.get("/v1/audit").response().body().contains(end));
        harness.close();
        assertFalse(harness.log().isEmpty());
        assertTrue(harness.log().stream().noneMatch(line -> line.contains(end)));
    }

    @Test
    void badTokensAreNotMade() throws Exception {
        for (String body : List.of(
                "{\"name\":\"a\",\"role\":\"viewer\",\"group\":\"shop/web\"}",
                "{\"name\":\"a\",\"role\":\"owner\",\"tenant\":\"shop\",\"rollout\":\"os-nov\"}",
                "{\"name\":\"a\",\"role\":\"calendar\",\"tenant\":\"bank\",\"group\":\"shop/web\"}",
                "{\"name\":\"a\",\"role\":\"calendar\",\"rollout\":\"a b\"}")) {
            assertEquals(400, harness.post("/v1/tokens", body).status(), body);
        }
        assertEquals(
                404,
                harness.post("/v1/tokens", "{\"name\":\"a\",\"role\":\"calendar\",\"group\":\"shop/wbe\"}")
                        .status());
    }
}
