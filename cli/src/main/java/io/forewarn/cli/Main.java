package io.forewarn.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.forewarn.wire.control.Version;
import java.io.PrintWriter;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.ScopeType;

/** The command {@code forewarn}. Exit codes: 0 done, 1 refused, 2 wrong usage, 3 server not reachable, 4 serve ended by a fault of its own. */
@Command(
        name = "forewarn",
        scope = ScopeType.INHERIT,
        mixinStandardHelpOptions = true,
        versionProvider = Main.Release.class,
        usageHelpWidth = 110,
        sortOptions = false,
        sortSynopsis = false,
        synopsisSubcommandLabel = "COMMAND",
        description = "Tells machines what maintenance is coming, in time to prepare, and lets them say \"go ahead\".",
        optionListHeading = "%nOptions:%n",
        commandListHeading = "%nCommands:%n",
        exitCodeOnInvalidInput = Exit.WRONG_USAGE,
        exitCodeOnExecutionException = Exit.REFUSED)
public final class Main {
    /** What {@code --version} says. */
    static final class Release implements IVersionProvider {
        @Override
        public String[] getVersion() {
            return new String[] {"forewarn " + Version.text()};
        }
    }

    private static final String HELP = "help";

    private Main() {}

    public static void main(String[] args) {
        System.exit(run(new PrintWriter(System.out, true, UTF_8), new PrintWriter(System.err, true, UTF_8), args));
    }

    /** The whole command without the process around it. */
    static int run(PrintWriter out, PrintWriter err, String... args) {
        CommandLine line = line(args);
        line.setOut(out).setErr(err);
        line.setParameterExceptionHandler(WrongUsage::explain);
        line.setExecutionExceptionHandler((failure, command, parsed) -> Exit.explain(failure, command, args));
        int code = line.execute(args);
        out.flush();
        err.flush();
        return code;
    }

    static CommandLine line(String... args) {
        Map<String, Supplier<Object>> commands = commands();
        CommandLine line = new CommandLine(new Main());
        // Reading all commands' options takes longer than most of them: only the one that is asked for is read.
        Optional<String> asked =
                Arrays.stream(args).filter(a -> !a.startsWith("-")).findFirst();
        if (asked.isPresent() && !asked.get().equals(HELP) && commands.containsKey(asked.get())) {
            line.addSubcommand(asked.get(), commands.get(asked.get()).get());
        } else {
            commands.forEach((name, command) -> line.addSubcommand(name, command.get()));
        }
        line.getCommandSpec()
                .usageMessage()
                .footer(
                        "",
                        "First steps:",
                        "  forewarn serve                         start the service with a demo fleet",
                        "  forewarn vm restart FrontEnd_IN_0      announce a restart to the machine's group",
                        "  forewarn event list                    see what is coming",
                        "  forewarn event approve ID              go ahead without waiting",
                        "",
                        "FOREWARN_URL says where the server is (http://127.0.0.1:8170), FOREWARN_TOKEN opens it;",
                        "on the server's own machine no token is needed. 'forewarn COMMAND --help' teaches each command.");
        return line;
    }

    private static Map<String, Supplier<Object>> commands() {
        Map<String, Supplier<Object>> commands = new LinkedHashMap<>();
        commands.put("serve", ServeCommand::new);
        commands.put("status", StatusCommand::new);
        commands.put("doctor", DoctorCommand::new);
        commands.put("fleet", FleetCommand::new);
        commands.put("group", GroupCommand::new);
        commands.put("vm", VmCommand::line);
        commands.put("event", EventCommand::new);
        commands.put("policy", PolicyCommand::new);
        commands.put("rollout", RolloutCommand::new);
        commands.put("history", HistoryCommand::new);
        commands.put("report", ReportCommand::new);
        commands.put("watch", WatchCommand::new);
        commands.put("clock", ClockCommand::new);
        commands.put("audit", AuditCommand::new);
        commands.put("tenant", TenantCommand::new);
        commands.put("token", TokenCommand::new);
        commands.put("store", StoreCommand::new);
        commands.put("webhook", WebhookCommand::new);
        commands.put("mail", MailCommand::new);
        commands.put(HELP, HelpCommand::new);
        return commands;
    }
}
