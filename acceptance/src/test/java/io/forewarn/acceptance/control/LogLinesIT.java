package io.forewarn.acceptance.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.forewarn.acceptance.control.Program.Run;
import io.forewarn.acceptance.deploy.StoreChoice;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every line a busy server writes is one of its own, whole, in the format that was asked for. */
@Tag(StoreChoice.ONCE)
final class LogLinesIT {
    /** Pairs between single blanks; a value with anything odd in it stands in quotes, where everything odd is escaped. */
    private static final Pattern LOGFMT =
            Pattern.compile("[a-z-]+=(?:[!#-<>-\\[\\]-~]+|\"(?:[^\"\\\\\\p{Cc}]|\\\\[nrt\"\\\\]|\\\\u[0-9a-f]{4})*\")"
                    + "(?: [a-z-]+=(?:[!#-<>-\\[\\]-~]+|\"(?:[^\"\\\\\\p{Cc}]|\\\\[nrt\"\\\\]|\\\\u[0-9a-f]{4})*\"))*");

    private static final String FORGED =
            "x\\\"\\nlevel=error what=forged\\r\\n<0>what=forged\\u2028{\\\"what\\\":\\\"forged\\\"}\\u001b[2J";

    @TempDir
    private Path folder;

    @Test
    void asPairs() throws Exception {
        for (String line : lines("logfmt")) {
            assertTrue(LOGFMT.matcher(line).matches(), line);
            assertFalse(line.matches("(at=\\S+ )?level=\\w+ what=forged.*"), line);
        }
    }

    @Test
    void asPairsWithAPriorityForTheJournal() throws Exception {
        for (String line : lines("journald")) {
            assertTrue(
                    line.matches("<[346]>.*")
                            && LOGFMT.matcher(line.substring(3)).matches(),
                    line);
            assertFalse(line.startsWith("<0>"), line);
        }
    }

    @Test
    void asObjects() throws Exception {
        ObjectMapper json = new ObjectMapper();
        List<String> told = new ArrayList<>();
        for (String line : lines("json")) {
            JsonNode read = json.readTree(line);
            assertTrue(read.isObject() && read.has("level") && read.has("what"), line);
            told.add(read.path("what").asText());
            if (read.path("what").asText().equals("started-by-approval")) {
                assertEquals("FrontEnd_IN_0", read.at("/machines/0").asText());
                assertEquals("restart", read.path("cause").asText());
                assertEquals("person", read.path("by").asText());
                assertEquals(36, read.path("event").asText().length());
            }
        }
        assertTrue(
                told.containsAll(List.of(
                        "setting",
                        "no-tls",
                        "serving",
                        "scheduled",
                        "started-by-approval",
                        "refused",
                        "policy-set",
                        "ended")),
                told.toString());
        assertFalse(told.contains("forged"));
    }

    /** What a server wrote in its life, to both outputs. */
    private List<String> lines(String format) throws Exception {
        Program program = new Program(folder).with("HOME", folder.toString());
        Run run;
        try (ServerProcess serverProcess = new ServerProcess(
                program,
                "--log-format",
                format,
                "--clock",
                "manual",
                "--profile",
                "test",
                // Listening everywhere without TLS is warned of.
                "--control",
                "0.0.0.0:0",
                // In a cluster it would have no name then.
                "--set",
                "cluster.advertise=127.0.0.1:1",
                "--set",
                "terms.recovery=5m")) {
            String url = "http://127.0.0.1:" + serverProcess.control().replaceAll(".*:", "");
            String script = """
                    AUTH="Authorization: Bearer $(cat .forewarn/run/*_%s.token)"
                    say() { curl -s -H "$AUTH" "$@" >/dev/null; }
                    say -d '{"description":"%s"}' %2$s/v1/machines/FrontEnd_IN_0/restart
                    ID=$(curl -s -H "$AUTH" "%2$s/v1/events?machine=FrontEnd_IN_0" | grep -o '[0-9A-F-]\\{36\\}' | head -1)
                    say -X POST %2$s/v1/events/$ID/approve
                    say -d '{"machines":["%1$s"]}' %2$s/v1/actions/restart
                    say -d '{"name":"%1$s"}' %2$s/v1/tokens
                    say -d '{"group":"web","notice":"30m"}' %2$s/v1/policies
                    say -X POST '%2$s/v1/machines/a%%0Aevel=error%%20what=forged/restart'
                    say -d '{"by":"1h"}' %2$s/v1/clock/advance
                    """.replace("%2$s", url)
                    .replace("%1$s", FORGED)
                    .replaceFirst("%s", serverProcess.control().replaceAll(".*:", ""))
                    .replaceFirst("%s", FORGED.replace("\\", "\\\\"))
                    .replace("%%", "%");
            program.shell(script).ended(0);
            run = serverProcess.end();
        }
        List<String> lines = new ArrayList<>(run.err().lines().toList());
        lines.addAll(run.out().lines().toList());
        assertTrue(lines.size() > 10, lines.toString());
        assertTrue(lines.stream().noneMatch(l -> l.chars().anyMatch(Character::isISOControl)), lines.toString());
        return lines;
    }
}
