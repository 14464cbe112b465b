package io.forewarn.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

final class ExamplesTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @Test
    void everyCommandTeachesByAnExampleOfItself() {
        List<CommandLine> leaves = new ArrayList<>();
        collect(Main.line(), leaves);
        assertTrue(leaves.size() > 40, "only " + leaves.size() + " commands were found");
        for (CommandLine leaf : leaves) {
            String help = leaf.getUsageMessage();
            String name = leaf.getCommandSpec().qualifiedName();
            int examples = help.indexOf("Examples:");
            assertTrue(examples > 0 && help.indexOf("  " + name, examples) > 0, help);
        }
    }

    @Test
    void helpSaysWhatTheOptionSays() {
        for (List<String> words : List.of(List.<String>of(), List.of("vm"), List.of("vm", "restart"))) {
            List<String> before = new ArrayList<>(List.of("help"));
            before.addAll(words);
            List<String> after = new ArrayList<>(words);
            after.add("--help");
            assertEquals(ExitCode.DONE, run(before));
            String asked = out.toString();
            assertEquals(ExitCode.DONE, run(after));
            assertEquals(out.toString(), asked);
        }
        assertEquals(ExitCode.WRONG_USAGE, run(List.of("help", "vm", "restrat")));
        assertTrue(err.toString().contains("did you mean 'forewarn vm restart'?"), err.toString());
    }

    private static void collect(CommandLine command, List<CommandLine> leaves) {
        if (command.getSubcommands().isEmpty()) {
            leaves.add(command);
        }
        command.getSubcommands().values().forEach(c -> collect(c, leaves));
    }

    private int run(List<String> args) {
        out.getBuffer().setLength(0);
        err.getBuffer().setLength(0);
        return Main.run(new PrintWriter(out, true), new PrintWriter(err, true), args.toArray(String[]::new));
    }
}
