package io.forewarn.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.forewarn.wire.control.Version;
import java.io.PrintWriter;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.RunLast;
import picocli.CommandLine.ScopeType;

/**
 * The {@code forewarn} command. Exit codes: 0 done, 1 refused, 2 wrong usage, 3 server unreachable, 4 {@code serve}
 * ended because of an internal error, 5 the time of a {@code wait} was up.
 */
@Command(
        name = "forewarn",
        scope = ScopeType.INHERIT,
        mixinStandardHelpOptions = true,
        versionProvider = Main.Release.class,
        sortOptions = false,
        sortSynopsis = false,
        synopsisSubcommandLabel = "COMMAND",
        description =
                "Tells machines what maintenance is coming, in time to prepare for it, and lets them approve it early.",
        optionListHeading = "%nOptions:%n",
        commandListHeading = "%nCommands:%n",
        exitCodeOnInvalidInput = ExitCode.WRONG_USAGE,
        exitCodeOnExecutionException = ExitCode.REFUSED)
public final class Main {
    /** Prints the release for {@code --version}. */
    static final class Release implements IVersionProvider {
        @Override
        public String[] getVersion() {
            return new String[] {"forewarn " + Version.text()};
        }
    }

    private static final String HELP = "help";
    private static final String VERSION = "--version";
    // Longer lines are hard to read.
    private static final int WIDEST = 110;
    private static final int NARROWEST = 55;

    private Main() {}

    public static void main(String[] args) {
        System.exit(run(new PrintWriter(System.out, true, UTF_8), new PrintWriter(System.err, true, UTF_8), args));
    }

    /** Runs a command without ending the process. */
    static int run(PrintWriter out, PrintWriter err, String... typed) {
        String[] args = ClockCommand.orShow(typed);
        CommandLine line = line(args);
        line.setOut(new ControlCharacterWriter(out)).setErr(new ControlCharacterWriter(err));
        line.setExecutionStrategy(parsed -> execute(parsed, out));
        line.setParameterExceptionHandler(UsageErrors::explain);
        line.setExecutionExceptionHandler((failure, command, parsed) -> ExitCode.explain(failure, command, args));
        int code = line.execute(args);
        out.flush();
        err.flush();
        return code;
    }

    /** Help is printed without escaping: it may be bold, and it contains no text from users. */
    private static int execute(ParseResult parsed, PrintWriter out) {
        Optional<CommandLine> helped = parsed.asCommandLineList().stream()
                .filter(CommandLine::isUsageHelpRequested)
                .findFirst();
        helped.ifPresent(command -> command.usage(out));
        return helped.isPresent() ? ExitCode.DONE : new RunLast().execute(parsed);
    }

    static CommandLine line(String... args) {
        Map<String, Function<Optional<String>, Object>> commands = commands();
        List<String> words =
                Arrays.stream(args).filter(a -> !a.startsWith("-")).limit(2).toList();
        Optional<String> next = words.size() > 1 ? Optional.of(words.get(1)) : Optional.empty();
        CommandLine line = new CommandLine(new Main());
        // Reading the options of all commands takes longer than running most of them: only those of the called one are
        // read.
        if (!words.isEmpty() && !words.get(0).equals(HELP) && commands.containsKey(words.get(0))) {
            line.addSubcommand(words.get(0), commands.get(words.get(0)).apply(next));
        } else if (!List.of(args).equals(List.of(VERSION))) {
            commands.forEach((name, command) -> line.addSubcommand(name, command.apply(Optional.empty())));
        }
        line.getCommandSpec()
                .usageMessage()
                .footer(
                        "",
                        "First steps:",
                        "  forewarn serve                         start the service with a demo fleet",
                        "  forewarn vm restart FrontEnd_IN_0      schedule a restart",
                        "  forewarn event list                    see scheduled events",
                        "  forewarn event approve ID              go ahead without waiting",
                        "",
                        "FOREWARN_URL is the server's address (default http://127.0.0.1:8170), FOREWARN_TOKEN the API token;",
                        "no token is needed on the server's own machine. See 'forewarn COMMAND --help' for each command.");
        int width = Math.min(WIDEST, Math.max(NARROWEST, Terminal.here().columns()));
        line.setUsageHelpWidth(width);
        ExampleLines.fit(line, width);
        return line;
    }

    /** Each constructor gets the word that follows the command. */
    private static Map<String, Function<Optional<String>, Object>> commands() {
        Map<String, Function<Optional<String>, Object>> commands = new LinkedHashMap<>();
        commands.put("serve", word -> new ServeCommand());
        commands.put("status", word -> new StatusCommand());
        commands.put("doctor", word -> new DoctorCommand());
        commands.put("context", word -> LazySubcommands.of(new ContextCommand(), word));
        commands.put("console", word -> new ConsoleCommand());
        commands.put("fleet", word -> LazySubcommands.of(new FleetCommand(), word));
        commands.put("group", word -> LazySubcommands.of(new GroupCommand(), word));
        commands.put("host", HostCommand::line);
        commands.put("vm", VmCommand::line);
        commands.put("event", word -> LazySubcommands.of(new EventCommand(), word));
        commands.put("policy", word -> LazySubcommands.of(new PolicyCommand(), word));
        commands.put("rollout", word -> LazySubcommands.of(new RolloutCommand(), word));
        commands.put("history", word -> new HistoryCommand());
        commands.put("report", word -> LazySubcommands.of(new ReportCommand(), word));
        commands.put("watch", word -> new WatchCommand());
        commands.put("clock", word -> LazySubcommands.of(new ClockCommand(), word));
        commands.put("audit", word -> LazySubcommands.of(new AuditCommand(), word));
        commands.put("tenant", word -> LazySubcommands.of(new TenantCommand(), word));
        commands.put("token", word -> LazySubcommands.of(new TokenCommand(), word));
        commands.put("store", word -> LazySubcommands.of(new StoreCommand(), word));
        commands.put("webhook", word -> LazySubcommands.of(new WebhookCommand(), word));
        commands.put("mail", word -> LazySubcommands.of(new MailCommand(), word));
        commands.put("completion", word -> LazySubcommands.of(new CompletionCommand(), word));
        commands.put(HELP, word -> new HelpCommand());
        return commands;
    }
}
