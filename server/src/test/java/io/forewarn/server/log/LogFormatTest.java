package io.forewarn.server.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class LogFormatTest {
    private static final Instant AT = Instant.parse("2030-01-01T00:00:00Z");

    private final ObjectMapper json = new ObjectMapper();

    @Test
    void theSameLineInEachFormat() {
        LogLine line = LogLine.warning("failed")
                .at(AT)
                .with("machines", List.of("a", "b"))
                .with("none", null)
                .with("blank", "")
                .with("detail", "no \"disk\"");
        assertEquals(
                "at=2030-01-01T00:00:00Z level=warning what=failed machines=a,b detail=\"no \\\"disk\\\"\"",
                LogFormat.LOGFMT.print(line));
        assertEquals("<4>" + LogFormat.LOGFMT.print(line), LogFormat.JOURNALD.print(line));
        assertEquals(
                "{\"at\":\"2030-01-01T00:00:00Z\",\"level\":\"warning\",\"what\":\"failed\",\"machines\":[\"a\",\"b\"],"
                        + "\"detail\":\"no \\\"disk\\\"\"}",
                LogFormat.JSON.print(line));
    }

    @Test
    void noValueLeavesItsQuotesOrItsLine() throws Exception {
        Random random = new Random(7);
        List<String> nasty = new ArrayList<>(List.of(
                "x\nlevel=error what=forged",
                "x\r\n<0>at=2030 what=forged",
                "\u2028{\"what\":\"forged\"}",
                "\u0085what=forged",
                "\u001b[2J\u001b[1A",
                "\u202Edegrof",
                "\" what=forged \"",
                "\\\" what=forged",
                "\uD800 half",
                "\uDB40\uDC01 tag",
                "=,=",
                " "));
        for (int i = 0; i < 2_000; i++) {
            StringBuilder text = new StringBuilder();
            for (int j = 0; j < 12; j++) {
                text.append((char) (random.nextBoolean() ? random.nextInt(0x100) : random.nextInt(0x10000)));
            }
            nasty.add(text.toString());
        }
        for (String value : nasty) {
            LogLine line =
                    LogLine.info("said").with("machines", List.of(value, "b")).with("detail", value);
            String object = LogFormat.JSON.print(line);
            JsonNode read = json.readTree(object);
            assertEquals(value, read.path("detail").asText());
            assertEquals("said", read.path("what").asText());
            assertEquals(value, read.at("/machines/0").asText());
            String pairs = LogFormat.LOGFMT.print(line);
            assertEquals(
                    List.of("level=info", "what=said", "machines=" + value + ",b", "detail=" + value),
                    LogfmtReader.of(pairs),
                    pairs);
            for (String printed : List.of(object, pairs, LogFormat.JOURNALD.print(line))) {
                assertEquals(1, printed.lines().count());
                assertFalse(printed.chars().anyMatch(Character::isISOControl), printed);
                assertEquals(
                        printed,
                        new String(printed.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8),
                        "it survives being written");
            }
        }
    }

    @Test
    void aLineIsNeverSoLongThatItIsSplit() {
        LogLine line = LogLine.info("said").with("detail", "x".repeat(1 << 20));
        assertTrue(LogFormat.LOGFMT.print(line).length() < 20_000);
    }

    @Test
    void aReaderWhoStoppedDoesNotStopTheService() {
        List<Runnable> tasks = new ArrayList<>();
        List<String> lines = new ArrayList<>();
        QueuedLog log = new QueuedLog(lines::add, LogFormat.LOGFMT, () -> AT, tasks::add);
        for (int i = 0; i < 10_005; i++) {
            log.write(LogLine.info("enabled"));
        }
        assertEquals(10_000, tasks.size());
        tasks.forEach(Runnable::run);
        assertEquals("at=2030-01-01T00:00:00Z level=warning what=log-lines-dropped lines=5", lines.get(0));
        assertEquals(10_001, lines.size());
    }
}
