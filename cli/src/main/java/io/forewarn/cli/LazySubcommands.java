package io.forewarn.cli;

import java.lang.reflect.Method;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/**
 * Loads only the subcommand that is called, because picocli takes longer to read the options of all than most commands
 * take to run.
 */
final class LazySubcommands {
    private LazySubcommands() {}

    /** A command whose subcommands are its methods: only the one that is called, or all if none has that name. */
    static CommandLine of(Object command, Optional<String> asked) {
        return of(command, Map.of(), asked);
    }

    /** @param more further subcommands that are not methods */
    static CommandLine of(Object command, Map<String, Supplier<CommandLine>> more, Optional<String> asked) {
        Optional<Method> plain = asked.filter(word -> !more.containsKey(word)).flatMap(word -> plain(command, word));
        if (plain.isPresent()) {
            CommandLine line = new CommandLine(command);
            line.addSubcommand(asked.get(), new CommandLine(plain.get()));
            return line;
        }
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

    /** The method of a subcommand that has its name, without reading the annotations of all others. */
    private static Optional<Method> plain(Object command, String word) {
        for (Method method : command.getClass().getDeclaredMethods()) {
            if (method.getName().equals(word)
                    && method.isAnnotationPresent(Command.class)
                    && name(method).equals(word)) {
                return Optional.of(method);
            }
        }
        return Optional.empty();
    }

    private static String name(Method method) {
        String name = method.getAnnotation(Command.class).name();
        return name.startsWith("<") ? method.getName() : name; // Picocli's placeholder for "no name".
    }
}
