package io.forewarn.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

final class TableTest {
    private final StringWriter out = new StringWriter();
    private final PrintWriter writer = new PrintWriter(out);

    @Test
    void columnsAreAsWideAsTheyMustBe() {
        Table table = new Table(writer, List.of("name", "ud"));
        table.row(List.of("FrontEnd_IN_0", ""));
        table.row(List.of("a", "11"));
        assertEquals(2, table.end());
        assertEquals("NAME           UD\nFrontEnd_IN_0  -\na              11\n", out.toString());
    }

    @Test
    void columnsThatDoNotFitGoBelow() {
        Table table = new Table(writer, List.of("name", "group", "state", "detail"), 30);
        table.row(List.of("FrontEnd_IN_0", "web", "running", "nothing to say"));
        table.row(List.of("a", "shop", "down", "it failed when it was asked to, a-1,a-2,a-3,a-4,a-5,a-6"));
        table.end();
        assertEquals(
                String.join(
                        "\n",
                        "NAME           GROUP  STATE",
                        "    DETAIL",
                        "FrontEnd_IN_0  web    running",
                        "    nothing to say",
                        "a              shop   down",
                        "    it failed when it was",
                        "    asked to, a-1,a-2,a-3,a-4,",
                        "    a-5,a-6",
                        ""),
                out.toString());
    }

    @Test
    void nothingIsPrintedForNoRows() {
        assertEquals(0, new Table(writer, List.of("name")).end());
        assertEquals("", out.toString());
    }

    @Test
    void longListsArePrintedAsTheyCome() {
        Table table = new Table(writer, List.of("n"));
        for (int i = 0; i < 600; i++) {
            table.row(List.of(String.valueOf(i)));
        }
        writer.flush();
        assertEquals(601, out.toString().lines().count());
        assertEquals(600, table.end());
    }

    @Test
    void bytesCutAnywhereAreTextAgain() {
        WriterStream stream = new WriterStream(writer);
        for (byte b : "naïve €".getBytes(StandardCharsets.UTF_8)) {
            stream.write(b);
        }
        assertEquals("naïve €", out.toString());
    }
}
