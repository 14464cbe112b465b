package io.forewarn.acceptance.control;

import static io.forewarn.acceptance.control.PrintedPage.assertContains;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.forewarn.acceptance.deploy.InstalledTools;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs what {@code docs/maintenance-night.md} prints, compares it with what the page shows, and checks from the history what
 * the page claims: told on Wednesday, done on Friday night, the frozen tenant on Monday, and everyone had their notice.
 */
// Takes more than 20 s: the page has dozens of commands, and each starts a process.
final class MaintenanceNightIT {
    private static final PrintedPage PAGE = new PrintedPage(Path.of("../docs/maintenance-night.md"));
    private static final Instant WEDNESDAY = Instant.parse("2040-01-04T09:00:00Z");
    private static final Instant FRIDAY_NIGHT = Instant.parse("2040-01-06T21:00:00Z");
    private static final Instant MONDAY = Instant.parse("2040-01-09T07:00:00Z");
    private static final Duration A_NIGHT = Duration.ofHours(8);

    private final ObjectMapper json = new ObjectMapper();

    @TempDir
    private Path folder;

    @Test
    void theNightGoesAsPrinted() throws Exception {
        Program program = new Program(folder).with("HOME", folder.toString());
        String fleet =
                InstalledTools.project().resolve("examples/night/fleet.yaml").toString();
        try (ServerProcess serverProcess =
                new ServerProcess(program, "--clock", "manual", "--profile", "test", "--fleet", fleet)) {
            program.with("FOREWARN_URL", serverProcess.url());
            List<String> outputs = PAGE.runInOneShell(program, serverProcess, UnaryOperator.identity());
            try {
                PAGE.shows(outputs, 16);
            } catch (AssertionError differs) {
                throw new AssertionError(differs.getMessage() + "\nThe server: " + serverProcess.said(), differs);
            }
            assertContains(outputs.get(2), "A start would be refused", "by the policy of tenant bank");
            assertContains(outputs.get(5), "rollout-planned", "core-0");
            everybodyWasTold(program);
            firstNight(program);
            secondNight(program);
        }
    }

    /** All tenants on Wednesday, each of its own machines only. */
    private void everybodyWasTold(Program program) throws Exception {
        Set<String> told = new HashSet<>();
        for (JsonNode entry : history(program, "os-jan")) {
            if (entry.get("kind").asText().equals("rollout-planned")) {
                assertEquals(WEDNESDAY, at(entry));
                entry.get("machines")
                        .forEach(name -> told.add(entry.get("tenant").asText() + "/" + name.asText()));
            }
        }
        assertEquals(200, told.size());
    }

    private void firstNight(Program program) throws Exception {
        int started = 0;
        for (JsonNode entry : history(program, "os-jan")) {
            String kind = entry.get("kind").asText();
            if (kind.equals("scheduled")) {
                Instant notBefore = Instant.parse(entry.get("notBefore").asText());
                assertEquals(Duration.ofHours(48), Duration.between(at(entry), notBefore), entry.toString());
            } else if (kind.startsWith("started")) {
                started++;
                assertEquals("started-by-time", kind);
                boolean friday = isIn(at(entry), FRIDAY_NIGHT, FRIDAY_NIGHT.plus(A_NIGHT));
                boolean monday = isIn(at(entry), MONDAY, MONDAY.plus(Duration.ofHours(3)));
                assertTrue(friday || monday, entry.toString());
                assertFalse(friday && entry.get("tenant").asText().equals("bank"), entry.toString());
            }
        }
        assertEquals(96, started);
        keptFor(program, "os-jan", 200);
    }

    private void secondNight(Program program) throws Exception {
        Instant night = FRIDAY_NIGHT.plus(Duration.ofDays(7));
        Set<String> kinds = new HashSet<>();
        for (JsonNode entry : history(program, "os-feb")) {
            String kind = entry.get("kind").asText();
            kinds.add(kind);
            if (kind.startsWith("started")) {
                assertTrue(isIn(at(entry), night, night.plus(A_NIGHT)), entry.toString());
            }
        }
        assertTrue(
                kinds.containsAll(Set.of(
                        "postponed", "rollout-paused", "rollout-resumed", "rollout-halted", "failed", "rollout-done")),
                kinds.toString());
        keptFor(program, "os-feb", 200);
    }

    /** No event had less notice than promised, and the events name so many machines. */
    private void keptFor(Program program, String rollout, int machines) throws Exception {
        Set<String> named = new HashSet<>();
        for (String line : program.run("report", "notice", "--rollout", rollout, "--format", "jsonl")
                .ended(0)
                .out()
                .lines()
                .toList()) {
            JsonNode event = json.readTree(line);
            assertEquals("kept", event.get("verdict").asText(), line);
            event.get("machines").forEach(name -> named.add(event.get("tenant").asText() + "/" + name.asText()));
        }
        assertEquals(machines, named.size());
    }

    private List<JsonNode> history(Program program, String rollout) throws Exception {
        return program.run("history", "--rollout", rollout, "--oldest-first", "--format", "jsonl")
                .ended(0)
                .out()
                .lines()
                .map(this::read)
                .toList();
    }

    private JsonNode read(String line) {
        try {
            return json.readTree(line);
        } catch (java.io.IOException wrong) {
            throw new java.io.UncheckedIOException(wrong);
        }
    }

    private static Instant at(JsonNode entry) {
        return Instant.parse(entry.get("at").asText());
    }

    private static boolean isIn(Instant time, Instant from, Instant to) {
        return !time.isBefore(from) && !time.isAfter(to);
    }
}
