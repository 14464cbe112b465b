package io.forewarn.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.forewarn.wire.control.Version;
import java.io.PrintWriter;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IExecutionStrategy;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.ParameterException;
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

    private static final String SERVE = "serve";
    private static final String HELP = "help";
    private static final String VERSION = "--version";
    // Longer lines are hard to read.
    private static final int WIDEST = 110;
    private static final int NARROWEST = 55;

    /** All commands, in the order of the help. */
    static final List<String> COMMANDS = List.of(
            SERVE,
            "status",
            "doctor",
            "context",
            "console",
            "fleet",
            "group",
            "host",
            "vm",
            "event",
            "policy",
            "rollout",
            "history",
            "report",
            "watch",
            "clock",
            "audit",
            "tenant",
            "token",
            "store",
            "webhook",
            "mail",
            "completion",
            HELP);

    private Main() {}

    public static void main(String[] args) {
        if (args.length > 0 && args[0].equals(SERVE)) {
            ServeCommand.preload();
        }
        // Nobody uses these here, and picocli would look for them at each start: in every jar, and method by method.
        System.setProperty("picocli.disable.closures", "true");
        System.setProperty("picocli.converters.excludes", "java\\.(sql|time)\\..*");
        // The JDK would look for other handlers of http and https in every jar; its own are here.
        System.setProperty("java.protocol.handler.pkgs", "sun.net.www.protocol");
        System.exit(run(new PrintWriter(System.out, true, UTF_8), new PrintWriter(System.err, true, UTF_8), args));
    }

    /** Runs a command without ending the process. */
    static int run(PrintWriter out, PrintWriter err, String... typed) {
        String[] args = ClockCommand.orShow(typed);
        CommandLine line = line(args);
        line.setOut(new ControlCharacterWriter(out)).setErr(new ControlCharacterWriter(err));
        Handlers handlers = new Handlers(out, args);
        line.setExecutionStrategy(handlers);
        line.setParameterExceptionHandler(handlers);
        line.setExecutionExceptionHandler(handlers);
        int code = line.execute(args);
        out.flush();
        err.flush();
        return code;
    }

    /**
     * Runs the command and explains failures. Not lambdas: picocli's class files are so old that the JVM leaves those out of
     * its archive of classes which a lambda was linked to, the largest of all among them.
     */
    private static final class Handlers
            implements IExecutionStrategy, IParameterExceptionHandler, IExecutionExceptionHandler {
        private final PrintWriter out;
        private final String[] args;

        Handlers(PrintWriter out, String[] args) {
            this.out = out;
            this.args = args;
        }

        /** Help is printed without escaping: it may be bold, and it contains no text from users. */
        @Override
        public int execute(ParseResult parsed) {
            for (CommandLine command : parsed.asCommandLineList()) {
                if (command.isUsageHelpRequested()) {
                    command.usage(out);
                    return ExitCode.DONE;
                }
            }
            return new RunLast().execute(parsed);
        }

        @Override
        public int handleParseException(ParameterException wrong, String[] typed) {
            return UsageErrors.explain(wrong, typed);
        }

        @Override
        public int handleExecutionException(Exception failure, CommandLine command, ParseResult parsed)
                throws Exception {
            return ExitCode.explain(failure, command, args);
        }
    }

    static CommandLine line(String... args) {
        List<String> words =
                Arrays.stream(args).filter(a -> !a.startsWith("-")).limit(2).toList();
        Optional<String> next = words.size() > 1 ? Optional.of(words.get(1)) : Optional.empty();
        CommandLine line = new CommandLine(new Main());
        if (List.of(args).contains(VERSION) || List.of(args).contains("-V")) {
            line.getCommandSpec().versionProvider(new Release());
        }
        // Reading the options of all commands takes longer than running most of them: only those of the called one are
        // read.
        if (!words.isEmpty() && !words.get(0).equals(HELP) && COMMANDS.contains(words.get(0))) {
            line.addSubcommand(words.get(0), command(words.get(0), next));
        } else if (!List.of(args).equals(List.of(VERSION))) {
            COMMANDS.forEach(name -> line.addSubcommand(name, command(name, Optional.empty())));
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

    /** Without a table of functions: linking them takes longer than reading the command's options. */
    private static Object command(String name, Optional<String> next) {
        return switch (name) {
            case SERVE -> new ServeCommand();
            case "status" -> new StatusCommand();
            case "doctor" -> new DoctorCommand();
            case "context" -> LazySubcommands.of(new ContextCommand(), next);
            case "console" -> new ConsoleCommand();
            case "fleet" -> LazySubcommands.of(new FleetCommand(), next);
            case "group" -> LazySubcommands.of(new GroupCommand(), next);
            case "host" -> HostCommand.line(next);
            case "vm" -> VmCommand.line(next);
            case "event" -> LazySubcommands.of(new EventCommand(), next);
            case "policy" -> LazySubcommands.of(new PolicyCommand(), next);
            case "rollout" -> LazySubcommands.of(new RolloutCommand(), next);
            case "history" -> new HistoryCommand();
            case "report" -> LazySubcommands.of(new ReportCommand(), next);
            case "watch" -> new WatchCommand();
            case "clock" -> LazySubcommands.of(new ClockCommand(), next);
            case "audit" -> LazySubcommands.of(new AuditCommand(), next);
            case "tenant" -> LazySubcommands.of(new TenantCommand(), next);
            case "token" -> LazySubcommands.of(new TokenCommand(), next);
            case "store" -> LazySubcommands.of(new StoreCommand(), next);
            case "webhook" -> LazySubcommands.of(new WebhookCommand(), next);
            case "mail" -> LazySubcommands.of(new MailCommand(), next);
            case "completion" -> LazySubcommands.of(new CompletionCommand(), next);
            case HELP -> new HelpCommand();
            default -> throw new IllegalArgumentException(name);
        };
    }
}
