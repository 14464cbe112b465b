package io.forewarn.cli;

import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine.UnmatchedArgumentException;

/** Prints for {@code help COMMAND} what {@code COMMAND --help} prints. */
@Command(
        name = "help",
        description = "Show help for a command.",
        footer = {"", "Examples:", "  forewarn help", "  forewarn help vm restart"})
final class HelpCommand implements Callable<Integer> {
    @Spec
    private CommandSpec command;

    @Parameters(paramLabel = "COMMAND", arity = "0..*", description = "The command; default: list all commands.")
    private List<String> words = List.of();

    @Override
    public Integer call() {
        CommandLine meant = command.parent().commandLine();
        for (String word : words) {
            CommandLine next = meant.getSubcommands().get(word);
            if (next == null) {
                throw new UnmatchedArgumentException(meant, List.of(word));
            }
            meant = next;
        }
        meant.usage(ControlCharacterWriter.raw(command.commandLine().getOut()));
        return ExitCode.DONE;
    }
}
