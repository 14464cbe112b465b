package io.forewarn.cli;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import picocli.CommandLine;

/**
 * Fits the examples of help texts into the terminal width so that they can still be pasted: remarks go below, long
 * commands are continued.
 */
final class ExampleLines {
    private static final String EXAMPLE = "  forewarn ";
    private static final String MOVED_IN = "      ";
    private static final String CONTINUED = " \\";

    private ExampleLines() {}

    /** Fits the examples of a command and of its subcommands. */
    static void fit(CommandLine command, int width) {
        CommandLine.Model.UsageMessageSpec help = command.getCommandSpec().usageMessage();
        help.footer(Arrays.stream(help.footer())
                .flatMap(line -> fitted(line, width).stream())
                .toArray(String[]::new));
        // An alias is the same command again. Without a lambda: see Main.Handlers.
        for (CommandLine below : new LinkedHashSet<>(command.getSubcommands().values())) {
            fit(below, width);
        }
    }

    static List<String> fitted(String line, int width) {
        if (!line.startsWith(EXAMPLE) || line.length() <= width) {
            return List.of(line);
        }
        String[] parts = line.strip().split(" {3,}", 2);
        List<String> lines = new ArrayList<>();
        String rest = "  " + parts[0];
        while (rest.length() > width && space(rest, width) > 0) {
            int at = space(rest, width);
            lines.add(rest.substring(0, at) + CONTINUED);
            rest = MOVED_IN + rest.substring(at + 1);
        }
        lines.add(rest);
        if (parts.length == 2) {
            lines.add(MOVED_IN + parts[1]);
        }
        return lines;
    }

    /** Where to break a line: preferably before an option, never inside quotes; 0 if nowhere. */
    private static int space(String line, int width) {
        int last = 0;
        int option = 0;
        boolean quoted = false;
        for (int i = EXAMPLE.length(); i + CONTINUED.length() <= width; i++) {
            if (line.charAt(i) == '\'') {
                quoted = !quoted;
            } else if (line.charAt(i) == ' ' && !quoted) {
                last = i;
                option = line.startsWith(" --", i) ? i : option;
            }
        }
        return option > 0 ? option : last;
    }
}
