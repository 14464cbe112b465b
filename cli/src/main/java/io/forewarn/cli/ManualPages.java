package io.forewarn.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.forewarn.wire.control.Version;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** Writes manual pages from the commands themselves: one for the program, and one for each of its commands. */
final class ManualPages {
    private static final String PROGRAM = "forewarn";
    private static final int DATE_LENGTH = 10;

    private final StringBuilder page = new StringBuilder();

    private ManualPages() {}

    /** Writes all pages into a folder: {@code ManualPages FOLDER DATE}. */
    public static void main(String[] args) throws IOException {
        Path folder = Files.createDirectories(Path.of(args[0]));
        String date = args[1].substring(0, DATE_LENGTH);
        CommandLine program = Main.line();
        write(folder, PROGRAM, program(program, date));
        for (CommandLine command : shown(program)) {
            write(folder, PROGRAM + "-" + command.getCommandName(), command(command, date));
        }
    }

    private static void write(Path folder, String name, String text) throws IOException {
        Files.writeString(folder.resolve(name + ".1"), text, UTF_8);
    }

    static String program(CommandLine program, String date) {
        ManualPages pages = new ManualPages();
        CommandSpec spec = program.getCommandSpec();
        pages.title(PROGRAM, date, "tells machines what maintenance is coming");
        pages.section("SYNOPSIS");
        pages.line(".B " + PROGRAM);
        pages.line(".I COMMAND");
        pages.line("[OPTION]...");
        pages.section("DESCRIPTION");
        pages.paragraphs(spec.usageMessage().description());
        pages.section("COMMANDS");
        for (CommandLine command : shown(program)) {
            pages.line(".TP");
            pages.line(".BR " + PROGRAM + "\\-" + escaped(command.getCommandName()) + " (1)");
            pages.text(first(command));
        }
        pages.section("EXIT STATUS");
        pages.term("0", "Done.");
        pages.term("1", "Refused, with the reason.");
        pages.term("2", "Wrong usage, or an invalid value.");
        pages.term("3", "The server is not reachable.");
        pages.term("4", "serve ended because of an internal error; a restart continues from what was acknowledged.");
        pages.term("5", "The time that event wait or rollout wait was given is up.");
        pages.section("ENVIRONMENT");
        pages.term("FOREWARN_URL", "The server's address; overrides the context.");
        pages.term("FOREWARN_TOKEN", "The API token. On the server's own machine, its user needs none.");
        pages.term("FOREWARN_CA", "CA certificate (PEM) for https.");
        pages.term("FOREWARN_CONFIG", "Settings file of serve.");
        pages.term("FOREWARN_JAVA_OPTS", "Options for the Java virtual machine.");
        pages.section("FILES");
        pages.term("/etc/forewarn/forewarn.yaml", "The settings of the service that the Debian packages install.");
        pages.term("/var/lib/forewarn", "Its data.");
        pages.term("~/.config/forewarn/contexts.json", "The contexts of a user.");
        return pages.page.toString();
    }

    static String command(CommandLine command, String date) {
        ManualPages pages = new ManualPages();
        CommandSpec spec = command.getCommandSpec();
        pages.title(PROGRAM + "-" + spec.name(), date, first(command));
        pages.section("SYNOPSIS");
        pages.synopsis(command);
        pages.section("DESCRIPTION");
        pages.paragraphs(spec.usageMessage().description());
        List<CommandLine> below = shown(command);
        if (below.isEmpty()) {
            pages.section("OPTIONS");
            pages.arguments(spec);
        } else {
            pages.section("COMMANDS");
            for (CommandLine one : below) {
                pages.line(".SS " + escaped(spec.name() + " " + one.getCommandName()));
                pages.synopsis(one);
                pages.line(".PP");
                pages.paragraphs(one.getCommandSpec().usageMessage().description());
                pages.arguments(one.getCommandSpec());
                pages.examples(one.getCommandSpec());
            }
            pages.section("EXAMPLES");
        }
        pages.examples(spec);
        pages.section("SEE ALSO");
        pages.line(".BR " + PROGRAM + " (1)");
        return pages.page.toString();
    }

    private static List<CommandLine> shown(CommandLine command) {
        return command.getSubcommands().values().stream()
                .distinct()
                .filter(line -> !line.getCommandSpec().usageMessage().hidden())
                .toList();
    }

    /** The first sentence of a description, as a phrase. */
    private static String first(CommandLine command) {
        String[] description = command.getCommandSpec().usageMessage().description();
        String sentence = description.length == 0 ? "" : description[0].replaceFirst("\\. .*", "");
        return sentence.replaceFirst("\\.$", "");
    }

    private void title(String name, String date, String phrase) {
        line(".TH " + name.toUpperCase(java.util.Locale.ROOT).replace("-", "\\-") + " 1 " + date + " \"Forewarn "
                + Version.text() + "\" \"Forewarn\"");
        section("NAME");
        text(name + " - " + phrase);
    }

    private void synopsis(CommandLine command) {
        String text = new Help(command.getCommandSpec(), Help.defaultColorScheme(Ansi.OFF))
                .synopsis(0)
                .lines()
                .map(String::strip)
                .collect(Collectors.joining(" "));
        String name = command.getCommandSpec().qualifiedName();
        line(".B " + escaped(name));
        text(text.startsWith(name) ? text.substring(name.length()).strip() : text);
    }

    private void arguments(CommandSpec spec) {
        for (PositionalParamSpec parameter : spec.positionalParameters()) {
            if (parameter.description().length > 0) {
                term(parameter.paramLabel(), String.join(" ", parameter.description()));
            }
        }
        for (OptionSpec option : spec.options()) {
            boolean usual = option.longestName().equals("--help")
                    || option.longestName().equals("--version");
            if (!option.hidden() && !usual) {
                String names = String.join(", ", option.names());
                term(
                        option.arity().max() == 0 ? names : names + " " + option.paramLabel(),
                        String.join(" ", option.description()));
            }
        }
    }

    private void examples(CommandSpec spec) {
        List<String> lines = new ArrayList<>(Arrays.asList(spec.usageMessage().footer()));
        lines.removeIf(line -> line.isBlank() || line.equals("Examples:"));
        if (lines.isEmpty()) {
            return;
        }
        line(".PP");
        line(".nf");
        lines.forEach(this::text);
        line(".fi");
    }

    private void section(String name) {
        line(".SH " + name);
    }

    private void term(String term, String meaning) {
        line(".TP");
        line(".B " + escaped(term));
        text(meaning.isBlank() ? "As its name says." : meaning);
    }

    private void paragraphs(String[] lines) {
        for (String line : lines) {
            if (line.isBlank()) {
                line(".PP");
            } else {
                text(line);
            }
        }
    }

    private void text(String text) {
        line(escaped(text));
    }

    private void line(String line) {
        page.append(line).append('\n');
    }

    private static String escaped(String text) {
        String plain =
                text.replace("%n", " ").replace("\\", "\\e").replace("-", "\\-").replace("…", "...");
        return plain.startsWith(".") || plain.startsWith("'") ? "\\&" + plain : plain;
    }
}
