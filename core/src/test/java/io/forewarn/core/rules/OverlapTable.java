package io.forewarn.core.rules;

import io.forewarn.core.rules.OverlapScenario.Coming;
import io.forewarn.core.rules.OverlapScenario.Found;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** What is decided when work comes for a machine that has an event open: {@code docs/lifecycle.md} prints it, a test holds the rules to it. */
public final class OverlapTable {
    private static final String CELLS = """
            refused | refused | refused | waits, then follows | goes first, and ends it | ends it | refused | follows
            refused | refused | refused | waits, then follows | goes first | ends it | refused | follows
            refused | refused | refused | is dropped | goes first | – | refused | is dropped
            refused | refused | refused | waits, then follows | joins it | joins it | refused | follows
            refused | refused | refused | is dropped | joins it | – | refused | is dropped
            goes first | goes first | goes first, and ends it | waits, then follows | ends it | ends it | refused | follows
            goes first | goes first | goes first, and ends it | waits, then follows | ends it | ends it | refused | follows
            follows | follows | follows | waits, then follows | joins it, then starts | follows | refused | follows
            refused | refused | – | is dropped | goes first | is the same | refused | is dropped
            refused | refused | – | is dropped | joins it | joins it | refused | is dropped
            follows | follows | follows | waits, then follows | joins it | joins it | refused | follows
            ends it when it starts | goes first | goes first, and ends it | ends it when it starts | ends it | ends it | refused | ends it when it starts
            ends it when it starts | ends it when it starts | ends it when it starts | ends it when it starts | ends it | ends it | refused | ends it when it starts
            goes first | goes first | goes first, and ends it | follows | ends it | ends it | follows | refused
            goes first | goes first | goes first | follows | goes first | goes first | follows | refused
            goes first | goes first | goes first, and ends it | follows | ends it | ends it | goes first | refused
            goes first | goes first | goes first, and ends it | goes first | ends it | ends it | goes first | refused
            follows | follows | follows | follows | joins it | joins it | follows | refused
            follows | follows | follows | follows | joins it, then starts | follows | follows | refused
            ends it when it starts | ends it when it starts | ends it when it starts | ends it when it starts | ends it | ends it | follows | ends it when it starts
            """;

    private OverlapTable() {}

    static String expected(Found found, Coming coming) {
        return row(found).get(coming.ordinal());
    }

    private static List<String> row(Found found) {
        return List.of(CELLS.split("\n")[found.ordinal()].split(" [|] "));
    }

    /** The table as the page shows it. */
    public static String markdown() {
        String header = Arrays.stream(Coming.values()).map(c -> c.words).collect(Collectors.joining(" | "));
        return "| the machine has | " + header + " |\n|---" + "|---".repeat(Coming.values().length) + "|\n"
                + Arrays.stream(Found.values())
                        .map(found -> "| " + found.words + " | " + String.join(" | ", row(found)) + " |")
                        .collect(Collectors.joining("\n"));
    }
}
