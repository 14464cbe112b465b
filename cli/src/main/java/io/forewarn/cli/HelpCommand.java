package io.forewarn.cli;

import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine.UnmatchedArgumentException;

/** What {@code --help} says, asked for in the other order. */
@Command(
        name = "help",
        description = "Teaches a command, as its --help does.",
        footer = {"", "Examples:", "  forewarn help", "  forewarn help vm restart"})
final class HelpCommand implements Callable<Integer> {
    @Spec
    private CommandSpec command;

    @Parameters(paramLabel = "COMMAND", arity = "0..*", description = "Which one; else all are listed.")
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
