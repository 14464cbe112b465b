package io.forewarn.cli;

import io.forewarn.core.NameRules;
import java.io.PrintWriter;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Prints usage errors: the error and where to find help, rather than the whole help page. */
final class UsageErrors {
    /** Common names of our commands in other programs. */
    private static final Map<String, String> OTHER_WORDS = Map.of(
            "rm", "remove",
            "delete", "remove",
            "del", "remove",
            "revoke", "remove",
            "ls", "list",
            "new", "add",
            "create", "add",
            "get", "show",
            "info", "show");

    private UsageErrors() {}

    static int explain(ParameterException wrong, String... args) {
        CommandLine command = wrong.getCommandLine();
        PrintWriter says = command.getErr();
        if (wrong.getMessage().startsWith("Missing required subcommand")) {
            says.println(wrong.getMessage());
            command.usage(ControlCharacterWriter.raw(says)); // Without a subcommand, the user needs the list of them.
            return ExitCode.WRONG_USAGE;
        }
        if (isNewTenant(wrong)) {
            says.println(
                    "tenants are created on first use, by the first machine, policy or token that names them, as in"
                            + " 'forewarn token add blue-team --role owner --tenant blue'");
            says.println("see 'forewarn tenant --help'");
            return ExitCode.WRONG_USAGE;
        }
        says.println(ControlCharacters.line(message(wrong)
                + meant(wrong).map(m -> "; did you mean '" + m + "'?").orElse("")));
        says.println("see '" + command.getCommandSpec().qualifiedName() + " --help'");
        return ExitCode.WRONG_USAGE;
    }

    private static Set<String> options(CommandLine command) {
        return command.getCommandSpec().options().stream()
                .filter(option -> !option.hidden())
                .flatMap(option -> Arrays.stream(option.names()))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static boolean isNewTenant(ParameterException wrong) {
        return wrong instanceof UnmatchedArgumentException unmatched
                && wrong.getCommandLine().getCommandName().equals("tenant")
                && "add"
                        .equals(OTHER_WORDS.getOrDefault(
                                unmatched.getUnmatched().get(0),
                                unmatched.getUnmatched().get(0)));
    }

    private static String message(ParameterException wrong) {
        if (!(wrong instanceof UnmatchedArgumentException unmatched)) {
            return wrong.getMessage();
        }
        String typed = unmatched.getUnmatched().get(0);
        if (isOption(typed)) {
            return "unknown option '" + bare(typed) + "'";
        }
        boolean choice = !wrong.getCommandLine().getSubcommands().isEmpty();
        return (choice ? "unknown command '" : "'" + wrong.getCommandLine().getCommandName() + "' takes no more: '")
                + typed + "'";
    }

    private static boolean isOption(String typed) {
        return typed.startsWith("-") && typed.length() > 1;
    }

    private static String bare(String option) {
        return option.replaceFirst("=.*", "");
    }

    private static Optional<String> meant(ParameterException wrong) {
        if (!(wrong instanceof UnmatchedArgumentException unmatched)) {
            return Optional.empty();
        }
        String typed = unmatched.getUnmatched().get(0);
        CommandLine command = wrong.getCommandLine();
        if (isOption(typed)) {
            return NameRules.nearest(bare(typed), options(command));
        }
        String name = command.getCommandSpec().qualifiedName();
        Map<String, CommandLine> known = command.getSubcommands();
        return known.entrySet().stream()
                .filter(e -> e.getValue().getSubcommands().containsKey(typed))
                .map(e -> name + " " + e.getKey() + " " + typed)
                .findFirst()
                .or(() -> Optional.ofNullable(OTHER_WORDS.get(typed))
                        .filter(known::containsKey)
                        .map(usual -> name + " " + usual))
                .or(() -> NameRules.nearest(typed, known.keySet()).map(near -> name + " " + near));
    }
}
