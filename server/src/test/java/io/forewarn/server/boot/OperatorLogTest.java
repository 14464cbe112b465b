package io.forewarn.server.boot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.forewarn.server.log.LogFormat;
import io.forewarn.server.log.LogLine;
import io.forewarn.server.settings.LogSettings.Form;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class OperatorLogTest {
    @TempDir
    private Path folder;

    @Test
    void theJournalIsKnownByItsSocketAndNotByAVariableAlone() throws Exception {
        Path error = Files.createFile(folder.resolve("error"));
        Map<String, Object> file = Files.readAttributes(error, "unix:dev,ino");
        assertTrue(OperatorLog.isJournal(file.get("dev") + ":" + file.get("ino"), error));
        assertFalse(OperatorLog.isJournal("8:1", error), "a child was given another standard error");
        assertFalse(OperatorLog.isJournal(null, error));
        assertFalse(OperatorLog.isJournal("8:1", folder.resolve("nowhere")));
    }

    @Test
    void theChosenLogFormatIsUsed() {
        assertEquals(LogFormat.JSON, OperatorLog.format(Form.JSON, Map.of("JOURNAL_STREAM", "8:1")));
        assertEquals(LogFormat.JOURNALD, OperatorLog.format(Form.JOURNALD, Map.of()));
        assertEquals(LogFormat.LOGFMT, OperatorLog.format(Form.AUTO, Map.of()));
    }

    @Test
    void queuedLinesAreWrittenBeforeTheEnd() {
        List<String> lines = new CopyOnWriteArrayList<>();
        try (OperatorLog log = new OperatorLog(lines::add, LogFormat.LOGFMT)) {
            for (int i = 0; i < 100; i++) {
                log.write(LogLine.info("told").with("number", i));
            }
        }
        assertEquals(100, lines.size());
        assertTrue(lines.get(99).matches("at=\\S+Z level=info what=told number=99"), lines.get(99));
    }
}
