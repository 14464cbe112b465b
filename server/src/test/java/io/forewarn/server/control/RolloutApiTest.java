package io.forewarn.server.control;

import static io.forewarn.core.Eventually.eventually;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.forewarn.server.control.ControlHarness.Reply;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class RolloutApiTest {
    private static final String OVER_WEB = "{\"name\":\"os\",\"type\":\"reboot\",\"groups\":[\"web\"]}";

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

    private void advance(String by) throws Exception {
        assertEquals(
                200,
                harness.post("/v1/clock/advance", "{\"by\":\"" + by + "\"}").status());
    }

    @Test
    void aPlanShowsWhichMachinesAreAffectedWhenAndChangesNothing() throws Exception {
        Reply plan = harness.post("/v1/rollouts/plan?limit=2", OVER_WEB);
        assertEquals(200, plan.status(), plan.error());
        assertEquals(5, plan.json().path("units").asInt());
        assertEquals(5, plan.json().path("machines").asInt());
        assertEquals(2, plan.json().path("steps").size());
        JsonNode first = plan.json().at("/steps/0");
        assertEquals("default/web#0", first.path("unit").asText());
        assertEquals(
                Duration.ofSeconds(90),
                Duration.between(
                        Instant.parse(first.path("startsAt").asText()),
                        Instant.parse(first.path("endsAt").asText())),
                "as long as a simulated restart takes");
        assertEquals(0, harness.get("/v1/rollouts").json().path("rollouts").size());
        assertEquals(0, harness.get("/v1/events").json().path("events").size());
    }

    @Test
    void aRolloutIsStartedPausedResumedAndRunsToItsEnd() throws Exception {
        Reply started = harness.post("/v1/rollouts", OVER_WEB);
        assertEquals(200, started.status(), started.error());
        advance("1s");
        JsonNode shown = harness.get("/v1/rollouts/os").json();
        assertEquals(1, shown.path("active").asInt());
        assertEquals("scheduled", shown.at("/activeUnits/0/events/0/status").asText());

        assertEquals(
                "paused",
                harness.post("/v1/rollouts/os/pause", "").json().path("status").asText());
        advance("1h");
        assertEquals(0, harness.get("/v1/rollouts/os").json().path("done").asInt());
        assertEquals(409, harness.post("/v1/rollouts/os/pause", "").status());
        assertEquals(200, harness.post("/v1/rollouts/os/resume", "").status());
        advance("5h");
        JsonNode over = harness.get("/v1/rollouts/os").json();
        assertEquals("done", over.path("status").asText());
        assertEquals(5, over.path("done").asInt());
    }

    @Test
    void aPlanSaysWhatItsFiltersLeaveOutAndInWhichZoneItsWindowsAre() throws Exception {
        Reply plan = harness.post("/v1/rollouts/plan", """
                {"type":"freeze","hosts":["host-*"],"exclude":["host-4","host-1","host-2"],"windows":["friday 22:00 8h"]}
                """);
        assertEquals(200, plan.status(), plan.error());
        assertEquals(3, plan.json().path("excludedCount").asInt());
        assertEquals("host-1", plan.json().at("/excluded/0/name").asText());
        assertEquals("is excluded", plan.json().at("/excluded/0/reason").asText());
        assertEquals("fri 22:00 8h UTC", plan.json().at("/windows/0").asText());
    }

    @Test
    void aRolloutIsLimitedToTenantsAndRemembersIt() throws Exception {
        harness.put("/v1/machines/shop%2Fdb-1", "{\"host\":\"host-3\"}");
        Reply started = harness.post("/v1/rollouts", """
                {"name":"os","type":"freeze","groups":["*"],"tenants":["shop"]}
                """);
        assertEquals(200, started.status(), started.error());
        assertEquals("[\"shop/*\"]", started.json().path("target").toString());
        assertEquals("[\"shop\"]", started.json().path("tenants").toString());
        assertEquals(1, started.json().path("units").asInt());
        Reply misspelt = harness.post("/v1/rollouts/plan", """
                {"type":"freeze","hosts":["*"],"exceptTenants":["shp"]}
                """);
        assertEquals(404, misspelt.status());
        assertTrue(misspelt.error().contains("did you mean shop?"), misspelt.error());
    }

    @Test
    void aTimeIsTheNextSuchMomentOfTheServicesClock() throws Exception {
        harness.post("/v1/clock/set", "{\"to\":\"2040-01-02T12:00:00Z\"}");
        Reply moved = harness.post("/v1/clock/set", "{\"to\":\"fri 22:00 Europe/Berlin\"}");
        assertEquals("2040-01-06T21:00:00Z", moved.json().path("now").asText(), moved.error());
        Reply started = harness.post(
                "/v1/rollouts",
                "{\"name\":\"os\",\"type\":\"redeploy\",\"groups\":[\"web\"],\"selfServiceUntil\":\"in 1w\"}");
        assertEquals(
                "2040-01-13T21:00:00Z", started.json().path("selfServiceUntil").asText(), started.error());
    }

    @Test
    void aPlanNeedsNoNameAStartDoes() throws Exception {
        String nameless = "{\"type\":\"reboot\",\"groups\":[\"web\"]}";
        assertEquals(400, harness.post("/v1/rollouts", nameless).status());
        assertTrue(harness.post("/v1/rollouts", nameless).error().contains("no name"));
        assertEquals(
                200,
                harness.post("/v1/rollouts", "{\"name\":\"plan\",\"type\":\"freeze\",\"groups\":[\"batch\"]}")
                        .status());
        Reply plan = harness.post("/v1/rollouts/plan", nameless);
        assertEquals(200, plan.status(), plan.error());
        assertTrue(plan.json().path("name").isMissingNode(), plan.json().toString());
    }

    @Test
    void aRefusalNamesThePossibleAlternatives() throws Exception {
        harness.post("/v1/rollouts", OVER_WEB);
        assertTrue(harness.post("/v1/rollouts/os/resume", "")
                .error()
                .contains("running and cannot be resumed; it can be paused"));
        harness.post("/v1/rollouts/os/pause", "");
        assertTrue(harness.post("/v1/rollouts/os/pause", "").error().contains("it can be resumed or aborted"));
        harness.post("/v1/rollouts/os/abort", "");
        assertTrue(harness.post("/v1/rollouts/os/resume", "").error().contains("start another, under"));
    }

    @Test
    void anAbortCallsOffWhatHasNotStarted() throws Exception {
        harness.post("/v1/rollouts", OVER_WEB);
        advance("1s");
        JsonNode aborted = harness.post("/v1/rollouts/os/abort", "").json();
        assertEquals("aborted", aborted.path("status").asText());
        assertEquals(0, aborted.path("active").asInt());
        assertEquals(0, harness.get("/v1/events").json().path("events").size());
    }

    @Test
    void invalidRequestsAreRefusedAndChangeNothing() throws Exception {
        String[][] wrong = {
            {"{\"name\":\"os\",\"type\":\"storm\",\"groups\":[\"web\"]}", "freeze, reboot or redeploy"},
            {"{\"name\":\"os\",\"type\":\"reboot\"}", "exactly one of"},
            {"{\"name\":\"os\",\"type\":\"reboot\",\"hosts\":[\"*\"],\"tag\":\"env=demo\"}", "exactly one of"},
            {"{\"name\":\"os\",\"type\":\"reboot\",\"hosts\":[\"host-9\"]}", "no machine runs on host host-9"},
            {"{\"name\":\"os\",\"type\":\"reboot\",\"hosts\":[\"host-1\"]}", "evacuate first (--evacuate)"},
            {"{\"name\":\"os\",\"type\":\"reboot\",\"groups\":[\"wep\"]}", "did you mean web?"},
            {
                "{\"name\":\"os\",\"type\":\"reboot\",\"tag\":\"env=none\"}",
                "no machine carries the tag env=none; there is env=demo"
            },
            {"{\"name\":\"os\",\"type\":\"reboot\",\"tag\":\"env=deno\"}", "did you mean env=demo?"},
            {"{\"name\":\"os\",\"type\":\"reboot\",\"hosts\":[\"\"]}", "hosts has an empty name in it"},
            {"{\"name\":\"os\",\"type\":\"reboot\",\"groups\":[]}", "groups is empty"},
            {"{\"name\":\"os\",\"type\":\"reboot\",\"groups\":[\"web\"],\"notice\":\"1m\"}", "must be from 15m"},
            {
                "{\"name\":\"os\",\"type\":\"reboot\",\"groups\":[\"web\"],\"atOnce\":\"0\"}",
                "(--at-once) must be at least 1, or from 1% to 100%, not 0"
            },
            {
                "{\"name\":\"os\",\"type\":\"reboot\",\"groups\":[\"web\"],\"atOnce\":\"many\"}",
                "a percentage such as 10%"
            },
            {
                "{\"name\":\"os\",\"type\":\"reboot\",\"groups\":[\"web\"],\"selfServiceUntil\":\"soon\"}",
                "(--self-service-until) must be a time such as 'fri 22:00', 'tomorrow 02:00 Europe/Berlin', 'in 2h' or 2030-01-01T00:00:00Z, not 'soon'"
            },
            {
                "{\"name\":\"os\",\"type\":\"reboot\",\"groups\":[\"web\"],\"selfServiceUntil\":\"2000-01-01T00:00:00Z\"}",
                "(--self-service-until) must be later than now"
            },
            {
                "{\"name\":\"os\",\"type\":\"reboot\",\"groups\":[\"web\"],\"at\":\"soon\"}",
                "at (--at) must be a time such as"
            },
            {"{\"name\":\"os\",\"type\":\"reboot\",\"groups\":[\"web\"],\"until\":\"2000-01-01T00:00:00Z\"}", "until"},
            {
                "{\"name\":\"os\",\"type\":\"reboot\",\"groups\":[\"web\"],\"late\":\"never\"}",
                "late (--late) must be refuse, next-window or any, not 'never'"
            },
        };
        for (String[] each : wrong) {
            for (String path : new String[] {"/v1/rollouts", "/v1/rollouts/plan"}) {
                Reply reply = harness.post(path, each[0]);
                assertTrue(reply.status() >= 400 && reply.status() < 500, path + " " + each[0] + " " + reply.json());
                assertTrue(reply.error().contains(each[1]), path + " " + each[0] + " " + reply.error());
            }
        }
        assertEquals(0, harness.get("/v1/rollouts").json().path("rollouts").size());
        assertEquals(404, harness.get("/v1/rollouts/nothing").status());
        assertEquals(404, harness.post("/v1/rollouts/nothing/pause", "").status());
    }

    @Test
    void oneThatIsOverIsRemovedAndItsHistoryStays() throws Exception {
        harness.post("/v1/rollouts", OVER_WEB);
        Reply running = harness.delete("/v1/rollouts/os");
        assertEquals(409, running.status());
        assertTrue(running.error().contains("paused or aborted"), running.error());
        harness.post("/v1/rollouts/os/abort", "");
        assertEquals(200, harness.delete("/v1/rollouts/os").status());
        assertEquals(404, harness.get("/v1/rollouts/os").status());
        assertEquals(404, harness.delete("/v1/rollouts/os").status());
        JsonNode history = harness.get("/v1/history?rollout=os").json().path("history");
        assertEquals("rollout-removed", history.get(0).path("kind").asText());
        assertTrue(history.size() > 2);
        assertEquals(200, harness.post("/v1/rollouts", OVER_WEB).status(), "the name is free again");
    }

    @Test
    void aTokenOfOneTenantRollsNothingOut() throws Exception {
        String secret = harness.post("/v1/tokens", "{\"name\":\"owner\",\"tenant\":\"default\"}")
                .json()
                .path("secret")
                .asText();
        assertEquals(
                403,
                harness.ask("POST", "/v1/rollouts", OVER_WEB, secret, Map.of()).status());
        for (String path : new String[] {"pause", "resume", "abort"}) {
            assertEquals(
                    403,
                    harness.ask("POST", "/v1/rollouts/os/" + path, "", secret, Map.of())
                            .status());
        }
    }

    private static final String NIGHT = "{\"name\":\"os\",\"type\":\"reboot\",\"groups\":[\"web\"],\"notice\":\"1h\","
            + "\"at\":\"fri 22:00 Europe/Berlin\",\"until\":\"%s\"%s}";

    private static String night(String until, String more) {
        return NIGHT.formatted(until, more);
    }

    @Test
    void aNightIsPlannedAheadAndKept() throws Exception {
        harness.post("/v1/clock/set", "{\"to\":\"2040-01-04T12:00:00Z\"}");
        Reply plan = harness.post("/v1/rollouts/plan", night("sat 06:00", ""));
        assertEquals(200, plan.status(), plan.error());
        assertEquals("2040-01-06T21:00:00Z", plan.json().at("/steps/0/startsAt").asText());
        assertEquals(
                "2040-01-06T20:00:00Z", plan.json().at("/steps/0/scheduledAt").asText());
        assertEquals(
                "no unit of the rollout starts earlier (--at)",
                plan.json().at("/steps/0/reason").asText());
        assertEquals(
                "update domain 0 of group default/web and its recovery were planned before it",
                plan.json().at("/steps/1/reason").asText());
        assertTrue(plan.json().path("late").isMissingNode());
        assertTrue(
                plan.json().at("/warnings/0").asText().startsWith("group default/web would see events of two update"),
                plan.json().toString());

        JsonNode started = harness.post("/v1/rollouts", night("sat 06:00", "")).json();
        assertEquals("2040-01-06T21:00:00Z", started.path("at").asText());
        assertEquals("2040-01-07T05:00:00Z", started.path("until").asText());
        assertEquals("refuse", started.path("late").asText());
        assertEquals(
                plan.json().path("endsAt").asText(), started.path("plannedEnd").asText());
        assertEquals(
                started.path("plannedEnd").asText(), started.path("expectedEnd").asText());
        assertEquals(0, started.path("movedUnits").asInt());
        assertEquals(0, started.path("activeUnits").size());
        assertEquals(5, started.path("nextUnits").size());
        advance("2d");
        assertEquals(0, harness.get("/v1/events").json().path("events").size(), "an hour before its turn");
        harness.post("/v1/clock/set", "{\"to\":\"2040-01-07T05:00:00Z\"}");
        assertEquals(
                "done", harness.get("/v1/rollouts/os").json().path("status").asText());
    }

    @Test
    void whileAHostIsEvacuatedItsUnitIsShownWithTheStartOfItsWork() throws Exception {
        harness.post("/v1/clock/set", "{\"to\":\"2040-01-04T12:00:00Z\"}");
        harness.post(
                "/v1/rollouts",
                "{\"name\":\"os\",\"type\":\"reboot\",\"hosts\":[\"host-1\"],\"evacuate\":true,\"recovery\":\"1m\"}");
        JsonNode before =
                harness.get("/v1/rollouts/os/units").json().path("units").get(0);
        harness.post("/v1/clock/set", "{\"to\":\"" + before.at("/evacuatesAt/0").asText() + "\"}");
        assertEquals(
                "started",
                harness.get("/v1/events").json().at("/events/0/status").asText().toLowerCase(Locale.ROOT));
        JsonNode during =
                harness.get("/v1/rollouts/os/units").json().path("units").get(0);
        assertEquals("scheduled", during.path("state").asText());
        assertEquals(before.path("startsAt"), during.path("startsAt"));
        assertEquals("its host is being evacuated", during.path("reason").asText());
        assertEquals(
                "host-1",
                harness.get("/v1/rollouts/os").json().at("/nextUnits/0/name").asText());
    }

    @Test
    void aDomainThatIsOverListsTheMachinesThatWereWorkedOn() throws Exception {
        harness.post("/v1/rollouts", OVER_WEB);
        advance("1h");
        JsonNode first =
                harness.get("/v1/rollouts/os/units").json().path("units").get(0);
        assertEquals("done", first.path("state").asText());
        assertEquals("default/FrontEnd_IN_0", first.at("/machines/0").asText());
    }

    @Test
    void theWorkOnAHostMovesWithItsPostponedEvacuationAndOwnersAreTold() throws Exception {
        harness.post("/v1/clock/set", "{\"to\":\"2040-01-04T12:00:00Z\"}");
        Reply policy = harness.post("/v1/policies", "{\"tenant\":\"default\",\"ownerPostponements\":\"3x4h\"}");
        assertEquals(200, policy.status(), policy.error());
        harness.post(
                "/v1/rollouts",
                "{\"name\":\"os\",\"type\":\"reboot\",\"hosts\":[\"host-1\"],\"evacuate\":true,\"recovery\":\"1m\"}");
        advance("1s"); // Until its first unit is scheduled.
        String event = harness.get("/v1/events").json().at("/events/0/id").asText();
        Reply postponed = harness.post("/v1/events/" + event + "/postpone", "{\"by\":\"2h\"}");
        assertEquals(200, postponed.status(), postponed.error());
        JsonNode unit =
                harness.get("/v1/rollouts/os/units").json().path("units").get(0);
        Instant evacuated = Instant.parse(unit.at("/evacuatesAt/0").asText());
        Instant starts = Instant.parse(unit.path("startsAt").asText());
        assertTrue(!starts.isBefore(evacuated.plus(Duration.ofMinutes(15))), unit.toString());
        assertTrue(
                harness.get("/v1/history?rollout=os&kinds=rollout-moved")
                        .json()
                        .toString()
                        .contains(starts.toString()),
                "owners of the machines that stay are told");
    }

    @Test
    void aNightThatIsTooShortIsRefusedWithWhatWouldWork() throws Exception {
        harness.post("/v1/clock/set", "{\"to\":\"2040-01-04T12:00:00Z\"}");
        Reply plan = harness.post("/v1/rollouts/plan", night("fri 23:00", ""));
        assertEquals(200, plan.status(), plan.error());
        assertEquals(3, plan.json().path("late").size(), plan.json().toString());
        assertEquals("default/web#2", plan.json().at("/late/0/unit").asText());
        Reply refused = harness.post("/v1/rollouts", night("fri 23:00", ""));
        assertEquals(409, refused.status(), refused.error());
        String last = plan.json().at("/late/2/startsAt").asText();
        assertTrue(refused.error().contains("default/web#2"), refused.error());
        assertTrue(refused.error().contains(last), refused.error());
        assertEquals(404, harness.get("/v1/rollouts/os").status());

        JsonNode any = harness.post("/v1/rollouts/plan", night("fri 23:00", ",\"late\":\"any\""))
                .json();
        assertTrue(any.path("late").isMissingNode(), any.toString());
        assertEquals(last, any.at("/steps/4/startsAt").asText());
        JsonNode next = harness.post("/v1/rollouts/plan", night("fri 23:00", ",\"late\":\"next-window\""))
                .json();
        assertEquals("2040-01-07T21:00:00Z", next.at("/steps/2/startsAt").asText(), next.toString());
        assertEquals(
                200,
                harness.post("/v1/rollouts", night("fri 23:00", ",\"late\":\"any\""))
                        .status());
    }

    @Test
    void hoursThatRepeatDailyAreShorterThanADay() throws Exception {
        harness.post("/v1/clock/set", "{\"to\":\"2040-01-04T12:00:00Z\"}");
        Reply same = harness.post("/v1/rollouts", night("fri 22:00", ",\"late\":\"next-window\""));
        assertEquals(400, same.status(), same.error());
        assertTrue(
                same.error()
                        .endsWith("until must be later than at by less than a day"
                                + " (at is 2040-01-06T21:00:00Z, until is 2040-01-13T21:00:00Z)"),
                "the first such time after 'at' is a week later: " + same.error());
        Reply without = harness.post(
                "/v1/rollouts", "{\"name\":\"os\",\"type\":\"reboot\",\"groups\":[\"web\"],\"late\":\"next-window\"}");
        assertEquals(400, without.status(), without.error());
        assertTrue(
                without.error().endsWith("it needs both, and until must be later than at by less than a day"),
                without.error());
    }

    @Test
    void aUnitTellsWhenItWasShownStartedEndedAndRecovered() throws Exception {
        harness.post("/v1/rollouts", OVER_WEB);
        JsonNode planned = harness.get("/v1/rollouts/os/units").json().path("units");
        Instant turn = Instant.parse(planned.at("/0/startsAt").asText());
        assertEquals("[\"default/web\"]", planned.at("/1/groups").toString());
        for (JsonNode unit : planned) {
            Instant starts = Instant.parse(unit.path("startsAt").asText());
            assertEquals(
                    starts.plusSeconds(90), Instant.parse(unit.path("endsAt").asText()));
        }
        advance("2m");
        String event = harness.get("/v1/events").json().at("/events/0/id").asText();
        harness.post("/v1/events/" + event + "/approve", "");
        advance("20m");
        JsonNode done = harness.get("/v1/rollouts/os/units?state=done").json().at("/units/0");
        Instant started = Instant.parse(done.path("startsAt").asText());
        assertTrue(started.isBefore(turn), "it was approved before its turn at " + turn + ": " + done);
        assertEquals(turn, Instant.parse(done.path("firstPlannedAt").asText()), "the first plan is still known");
        assertEquals(
                started.minusSeconds(120), Instant.parse(done.path("shownAt").asText()));
        Instant ended = Instant.parse(done.path("endsAt").asText());
        assertEquals(started.plusSeconds(90), ended);
        Instant recovered = Instant.parse(done.path("recoveredAt").asText());
        assertTrue(recovered.isAfter(ended), done.toString());
    }

    @Test
    void aPlanThatIsRefusedIsNotAudited() throws Exception {
        Reply refused = harness.post("/v1/rollouts/plan", "{\"type\":\"reboot\",\"groups\":[\"wbe\"]}");
        assertEquals(404, refused.status(), refused.error());
        assertEquals(
                404,
                harness.post("/v1/rollouts", "{\"name\":\"os\",\"type\":\"reboot\",\"groups\":[\"wbe\"]}")
                        .status());
        // The refusal of the start is: nobody waits until that is stored.
        String audit = eventually(() -> harness.get("/v1/audit").json().toString(), it -> it.contains("refused"));
        assertTrue(!audit.contains("rollouts/plan"), audit);
    }

    @Test
    void unitsAreListedByStartInPagesAndByState() throws Exception {
        harness.post("/v1/rollouts", OVER_WEB);
        advance("20m");
        JsonNode first = harness.get("/v1/rollouts/os/units?limit=2").json().path("units");
        assertEquals(2, first.size());
        assertEquals("default/web#0", first.at("/0/name").asText());
        assertEquals("done", first.at("/0/state").asText());
        assertEquals("pending", first.at("/1/state").asText());
        assertEquals("[\"default/FrontEnd_IN_1\"]", first.at("/1/machines").toString());
        JsonNode rest = harness.get("/v1/rollouts/os/units?after=default%2Fweb%231")
                .json()
                .path("units");
        assertEquals(3, rest.size());
        assertEquals("default/web#2", rest.at("/0/name").asText());
        assertEquals(
                4,
                harness.get("/v1/rollouts/os/units?state=pending")
                        .json()
                        .path("units")
                        .size());
        Reply unknown = harness.get("/v1/rollouts/os/units?after=host-9");
        assertEquals(404, unknown.status());
        assertEquals("rollout os has no unit host-9 to list units after", unknown.error());
        Reply misspelt = harness.get("/v1/rollouts/os/units?state=waiting");
        assertEquals(400, misspelt.status());
        assertEquals(
                "state (--state) must be pending, scheduled, started, done, failed or skipped, not 'waiting'",
                misspelt.error());
        assertEquals(404, harness.get("/v1/rollouts/none/units").status());
    }

    @Test
    void aResumeMovesTheLatestStart() throws Exception {
        harness.post("/v1/clock/set", "{\"to\":\"2040-01-04T12:00:00Z\"}");
        harness.post("/v1/rollouts", night("sat 06:00", ""));
        harness.post("/v1/rollouts/os/pause", "");
        String[][] wrong = {
            {"?until=soon", "until (--until) must be a time such as"},
            {"?until=2000-01-01T00:00:00Z", "until (--until), the latest start, must be later than"},
            {"?late=never", "late (--late) must be refuse, next-window or any, not 'never'"},
            {"?notice=1h", "notice (--notice) is for what is retried; give retry=true (--retry) too"},
            {"?retry=true&notice=long", "notice"},
            {"?retry=true&notice=1s", "15m"},
        };
        for (String[] each : wrong) {
            Reply refused = harness.post("/v1/rollouts/os/resume" + each[0], "");
            assertTrue(refused.status() == 400 || refused.status() == 409, each[0] + refused.json());
            assertTrue(refused.error().contains(each[1]), each[0] + refused.error());
        }
        assertEquals(
                "paused", harness.get("/v1/rollouts/os").json().path("status").asText());
        Reply resumed = harness.post("/v1/rollouts/os/resume?until=2040-01-07T08:00:00Z&late=any", "");
        assertEquals(200, resumed.status(), resumed.error());
        assertEquals("running", resumed.json().path("status").asText());
        assertEquals("2040-01-07T08:00:00Z", resumed.json().path("until").asText());
        assertEquals("any", resumed.json().path("late").asText());
    }

    @Test
    void aStartThatIsSentTwiceStartsOnce() throws Exception {
        Map<String, String> once = Map.of("Idempotency-Key", "night-1");
        Reply first = harness.ask("POST", "/v1/rollouts", OVER_WEB, harness.token(), once);
        assertEquals(200, first.status(), first.error());
        Reply again = harness.ask("POST", "/v1/rollouts", OVER_WEB, harness.token(), once);
        assertEquals(200, again.status(), again.error());
        assertEquals(
                first.json().path("nextUnits").findValuesAsText("startsAt"),
                again.json().path("nextUnits").findValuesAsText("startsAt"));
        JsonNode history = harness.get("/v1/history?rollout=os").json().path("history");
        assertEquals(
                1,
                history.findValuesAsText("kind").stream()
                        .filter("rollout-planned"::equals)
                        .count());
        assertEquals(409, harness.post("/v1/rollouts", OVER_WEB).status());
    }

    /** The program would fail; a rehearsal never reaches it. */
    @Test
    void aRehearsalIsOnlySimulatedWhateverTheDriver() throws Exception {
        harness.close();
        harness = new ControlHarness(
                folder.resolve("other"), Map.of("driver.kind", "command", "driver.command.argv", "/bin/false"));
        Reply rehearsal = harness.post("/v1/machines/db-1/restart", "{\"rehearsal\":true}");
        assertEquals(200, rehearsal.status(), rehearsal.error());
        String id = rehearsal.json().at("/events/0/id").asText();
        advance("20m");
        assertEquals(
                "completed",
                harness.get("/v1/events/" + id).json().path("outcome").asText());
        assertTrue(harness.get("/v1/events/" + id).json().path("rehearsal").asBoolean(), "also when it is over");
        assertEquals(0, harness.get("/v1/machines/db-1").json().path("boots").asInt());
        String real = harness.post("/v1/machines/FrontEnd_IN_0/freeze", "")
                .json()
                .at("/events/0/id")
                .asText();
        harness.post("/v1/events/" + real + "/cancel", "");
        assertTrue(harness.get("/v1/events/" + real).json().path("rehearsal").isMissingNode());
    }
}
