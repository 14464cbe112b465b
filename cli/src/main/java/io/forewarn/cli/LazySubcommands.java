package io.forewarn.cli;

import java.lang.reflect.Method;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The words that follow a command's own, as {@code list} follows {@code vm}. Reading the options of all takes longer than most of them do. */
final class LazySubcommands {
    private LazySubcommands() {}

    /** A command whose words are its methods: with the one that is asked for, or with all if it has none of that name. */
    static CommandLine of(Object command, Optional<String> asked) {
        return of(command, Map.of(), asked);
    }

    /** @param more words that are no methods of it */
    static CommandLine of(Object command, Map<String, Supplier<CommandLine>> more, Optional<String> asked) {
        Map<String, Supplier<CommandLine>> words = new LinkedHashMap<>();
        for (Class<?> type = command.getClass(); type != Object.class; type = type.getSuperclass()) {
            for (Method method : CommandLine.getCommandMethods(type, null)) {
                words.putIfAbsent(name(method), () -> new CommandLine(method));
            }
        }
        words.putAll(more);
        CommandLine line = new CommandLine(command);
        if (asked.isPresent() && words.containsKey(asked.get())) {
            line.addSubcommand(asked.get(), words.get(asked.get()).get());
        } else {
            words.forEach((name, word) -> line.addSubcommand(name, word.get()));
        }
        return line;
    }

    private static String name(Method method) {
        String name = method.getAnnotation(Command.class).name();
        return name.startsWith("<") ? method.getName() : name; // Picocli's own word for none.
    }
}
