package io.forewarn.wire.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.forewarn.core.RefusedException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ListWriterTest {
    @Test
    void theNameWinsOverTheHeader() {
        assertEquals(ListWriter.CSV, ListWriter.of("csv", "application/jsonl"));
        assertEquals(ListWriter.JSONL, ListWriter.of(null, "text/csv;q=0.5, application/x-ndjson"));
        assertEquals(ListWriter.CSV, ListWriter.of(null, "text/csv"));
        assertEquals(ListWriter.JSON, ListWriter.of(null, "*/*"));
        assertEquals(ListWriter.JSON, ListWriter.of(null, "text/html;q=x, image/png"));
        assertEquals(ListWriter.JSON, ListWriter.of(null, null));
        assertThrows(RefusedException.class, () -> ListWriter.of("xml", null));
    }

    @Test
    void cellsAreQuotedWhereRfc4180Asks() throws IOException {
        assertEquals("a,b c,,\r\n", line("a", "b c", "", null));
        assertEquals(
                "\"a,b\",\"say \"\"go\"\"\",\"two\r\nlines\",\" blank\"\r\n",
                line("a,b", "say \"go\"", "two\r\nlines", " blank"));
    }

    @Test
    void nothingBecomesAFormulaInASpreadsheet() throws IOException {
        assertEquals(
                "\"'=HYPERLINK(\"\"http://x\"\")\",'@x,'-1,'+1\r\n",
                line("=HYPERLINK(\"http://x\")", "@x", "-1", "+1"));
    }

    private static String line(String... cells) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        List<String> list = Arrays.asList(cells);
        new Csv(out).line(list);
        return out.toString(StandardCharsets.UTF_8);
    }
}
