package io.forewarn.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

final class ExampleLinesTest {
    @Test
    void anExampleThatFitsStaysAsItIs() {
        assertEquals(List.of("  forewarn vm list   all"), ExampleLines.fitted("  forewarn vm list   all", 80));
        assertEquals(List.of("some other text"), ExampleLines.fitted("some other text", 10));
    }

    @Test
    void remarksGoBelowAndLongExamplesBreakBeforeAnOption() {
        assertEquals(
                List.of("  forewarn vm list --group web", "      who polls"),
                ExampleLines.fitted("  forewarn vm list --group web     who polls", 40));
        assertEquals(
                List.of(
                        "  forewarn policy set --group web \\",
                        "      --window 'sat,sun 01:00 4h \\".replace(" \\", " Europe/Berlin'"),
                        "      when"),
                ExampleLines.fitted(
                        "  forewarn policy set --group web --window 'sat,sun 01:00 4h Europe/Berlin'   when", 50));
    }
}
