package io.forewarn.cli;

import io.forewarn.core.Names;
import java.io.PrintWriter;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** What is said of a line that cannot be understood: the fault and where to read on, not the whole page. */
final class WrongUsage {
    private WrongUsage() {}

    static int explain(ParameterException wrong, String... args) {
        CommandLine command = wrong.getCommandLine();
        PrintWriter says = command.getErr();
        if (wrong.getMessage().startsWith("Missing required subcommand")) {
            says.println(wrong.getMessage());
            command.usage(says); // Whoever has not chosen yet needs the list.
            return Exit.WRONG_USAGE;
        }
        Optional<String> meant = meant(wrong);
        says.println(wrong.getMessage()
                + meant.map(m -> "; did you mean '" + m + "'?").orElse(""));
        if (meant.isEmpty()) {
            UnmatchedArgumentException.printSuggestions(wrong, says);
        }
        says.println("see '" + command.getCommandSpec().qualifiedName() + " --help'");
        return Exit.WRONG_USAGE;
    }

    private static Optional<String> meant(ParameterException wrong) {
        if (!(wrong instanceof UnmatchedArgumentException unmatched)
                || unmatched.getUnmatched().get(0).startsWith("-")) {
            return Optional.empty();
        }
        String typed = unmatched.getUnmatched().get(0);
        CommandLine command = wrong.getCommandLine();
        String name = command.getCommandSpec().qualifiedName();
        Map<String, CommandLine> known = command.getSubcommands();
        return known.entrySet().stream()
                .filter(e -> e.getValue().getSubcommands().containsKey(typed))
                .map(e -> name + " " + e.getKey() + " " + typed)
                .findFirst()
                .or(() -> Names.nearest(typed, known.keySet()).map(near -> name + " " + near));
    }
}
