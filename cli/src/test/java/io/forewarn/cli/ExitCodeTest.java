package io.forewarn.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.forewarn.server.log.Log;
import io.forewarn.server.log.LogFormat;
import io.forewarn.server.settings.ListenSettings;
import io.forewarn.wire.control.HostPort;
import io.forewarn.wire.control.Version;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

final class ExitCodeTest {
    private static final String NOBODY = "http://127.0.0.1:1";
    private static final List<String> COMMANDS =
            List.of("serve", "status", "doctor", "fleet", "group", "vm", "event", "history", "clock", "token");

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @Test
    void helpAndVersionAreEverywhere() {
        assertEquals(ExitCode.DONE, run("--version"));
        assertEquals("forewarn " + Version.text(), out.toString().strip());
        for (String command : COMMANDS) {
            assertEquals(ExitCode.DONE, run(command, "--help"), command);
            assertTrue(out.toString().contains("Usage: forewarn " + command), out.toString());
            assertEquals(ExitCode.DONE, run(command, "--version"), command);
            assertTrue(out.toString().contains(Version.text()), command);
        }
        assertEquals(ExitCode.DONE, run("vm", "restart", "--help"));
        assertTrue(out.toString().contains("--wait"));
        assertEquals(ExitCode.DONE, run("vm", "restart", "--version"));
        assertEquals(ExitCode.DONE, run("--help"));
        COMMANDS.forEach(command -> assertTrue(out.toString().contains("\n  " + command + " "), command));
    }

    @Test
    void anInternalErrorSaysWhereAndExitsWithFour() {
        assertEquals(
                ExitCode.BROKEN,
                ServeCommand.gaveUp(new NullPointerException(), Log.to(line -> err.append(line), LogFormat.LOGFMT)));
        assertTrue(err.toString().contains("\\tat io.forewarn.cli.ExitCodeTest."), err.toString());
        assertTrue(
                err.toString()
                        .contains("stopping rather than deciding anything more: java.lang.NullPointerException. "),
                err.toString());
    }

    @Test
    void wrongUsageIsTwo() {
        assertEquals(ExitCode.WRONG_USAGE, run());
        assertEquals(ExitCode.WRONG_USAGE, run("vn"));
        assertTrue(err.toString().contains("did you mean 'forewarn vm'?"), err.toString());
        assertEquals(ExitCode.WRONG_USAGE, run("restart", "a"));
        assertTrue(err.toString().contains("did you mean 'forewarn vm restart'?"), err.toString());
        assertEquals(ExitCode.WRONG_USAGE, run("vm"));
        assertEquals(ExitCode.WRONG_USAGE, run("vm", "restart"));
        assertEquals(ExitCode.WRONG_USAGE, run("vm", "restrat", "a"));
        assertEquals(ExitCode.WRONG_USAGE, run("status", "--jsn"));
        assertTrue(err.toString().contains("see 'forewarn status --help'"), err.toString());
        assertFalse(err.toString().contains("Usage:"), err.toString());
        assertEquals(ExitCode.WRONG_USAGE, run("serve", "--port", "1"));
        assertEquals(ExitCode.WRONG_USAGE, run("history", "--limit", "many"));
    }

    @Test
    void unknownNamesAreReportedWithASuggestion() {
        String[][] wrong = {
            {"unknown command 'nope'", "help", "nope"},
            {"unknown command 'nope'", "nope"},
            {"unknown command 'restrat'; did you mean 'forewarn vm restart'?", "help", "vm", "restrat"},
            {"unknown command 'lst'; did you mean 'forewarn vm list'?", "vm", "lst"},
            {"unknown option '--grup'; did you mean '--group'?", "vm", "list", "--grup", "web"},
            {"unknown option '--grup'; did you mean '--group'?", "vm", "list", "--grup=web"},
            {"unknown option '--notcie'; did you mean '--notice'?", "vm", "restart", "a", "--notcie", "20m"},
            {"unknown option '--zzz'", "vm", "list", "--zzz"},
            {"'show' takes no more: 'b'", "vm", "show", "a", "b"},
        };
        for (String[] each : wrong) {
            assertEquals(ExitCode.WRONG_USAGE, run(Arrays.copyOfRange(each, 1, each.length)), each[0]);
            assertEquals(each[0], err.toString().lines().findFirst().orElse(""));
        }
    }

    @Test
    void rebootIsAnAliasOfRestart() {
        assertEquals(ExitCode.DONE, run("vm", "reboot", "--help"));
        assertTrue(out.toString().contains("Usage: forewarn vm restart"), out.toString());
        assertEquals(ExitCode.NOT_REACHABLE, run("vm", "reboot", "a", "--url", NOBODY));
    }

    @Test
    void helpFitsEightyColumns() {
        Map<String, CommandLine> all = new TreeMap<>();
        collect(Main.line(), all);
        all.forEach((name, command) -> {
            StringWriter help = new StringWriter();
            command.usage(new PrintWriter(help, true), CommandLine.Help.Ansi.OFF);
            help.toString().lines().forEach(line -> assertTrue(line.length() <= 80, () -> name + ": " + line));
        });
        assertTrue(all.size() > 50, () -> "only " + all.size());
    }

    private static void collect(CommandLine command, Map<String, CommandLine> all) {
        all.put(command.getCommandSpec().qualifiedName(), command);
        command.getSubcommands().values().forEach(sub -> collect(sub, all));
    }

    @Test
    void aRolloutOfNothingOfTwoOrWithoutANameIsWrongUsage() {
        String[][] wrong = {
            {"one of --hosts, --groups and --tag is required", "rollout", "plan", "--type", "reboot"},
            {"only one of --hosts, --groups", "rollout", "plan", "--type", "reboot", "--hosts", "a", "--tag", "b=c"},
            {"--hosts '*' for all would be right", "rollout", "plan", "--type", "reboot", "--hosts", ""},
            {"the rollout has no name", "rollout", "start", "--type", "reboot", "--groups", "web"},
            {"two names, 'a' and 'b'", "rollout", "start", "a", "--name", "b", "--type", "reboot", "--groups", "web"},
            {"it is empty", "rollout", "show", ""},
            {"it is empty", "history", "--rollout", ""},
        };
        for (String[] each : wrong) {
            assertEquals(ExitCode.WRONG_USAGE, run(Arrays.copyOfRange(each, 1, each.length)), each[0]);
            assertTrue(err.toString().contains(each[0]), err.toString());
        }
        assertEquals(
                ExitCode.NOT_REACHABLE,
                run("rollout", "start", "a", "--type", "reboot", "--groups", "web", "--url", NOBODY));
        assertEquals(ExitCode.DONE, run("rollout", "start", "--help"));
        assertTrue(out.toString().contains("--at-once=N|N%|fault-domain"), out.toString());
    }

    @Test
    void aServerThatCannotBeReachedIsThreeAndNamed() {
        for (String[] command : new String[][] {
            {"status"},
            {"vm", "list"},
            {"vm", "restart", "a"},
            {"event", "list", "--json"},
            {"history"},
            {"clock", "show"}
        }) {
            String[] all = Arrays.copyOf(command, command.length + 2);
            all[command.length] = "--url";
            all[command.length + 1] = NOBODY;
            assertEquals(ExitCode.NOT_REACHABLE, run(all), String.join(" ", command));
            assertTrue(err.toString().contains(NOBODY) && err.toString().contains("forewarn serve"), err.toString());
        }
    }

    @Test
    void anAddressThatIsNoneIsWrongUsage() {
        assertEquals(ExitCode.WRONG_USAGE, run("status", "--url", "nonsense"));
        assertTrue(err.toString().contains("http://127.0.0.1:8170"), err.toString());
        assertEquals(ExitCode.REFUSED, run("fleet", "apply", "/does/not/exist", "--url", NOBODY));
    }

    @Test
    void aWrongSettingStopsTheStart() {
        assertEquals(ExitCode.WRONG_USAGE, run("serve", "--set", "terms.disable-afer=1h", "--profile", "azur"));
        assertTrue(err.toString().contains("did you mean 'terms.disable-after'?"), err.toString());
        assertTrue(err.toString().contains("azure or test"), err.toString());
    }

    @Test
    void listeningBeyondThisMachineWithoutTlsIsWarnedOf() {
        HostPort here = new HostPort("127.0.0.1", 8170);
        HostPort beyond = new HostPort("10.0.0.1", 8170);
        assertTrue(ServeCommand.warning(new ListenSettings(here, here, "", "", 256, Set.of()))
                .isEmpty());
        assertTrue(ServeCommand.warning(new ListenSettings(beyond, here, "", "", 256, Set.of()))
                .isEmpty());
        assertTrue(ServeCommand.warning(new ListenSettings(here, beyond, "cert.pem", "key.pem", 256, Set.of()))
                .isEmpty());
        assertTrue(ServeCommand.warning(new ListenSettings(here, beyond, "", "", 256, Set.of()))
                .orElseThrow()
                .contains("10.0.0.1:8170"));
    }

    @Test
    void theDoctorWorksWithoutAServer(@TempDir Path folder) throws Exception {
        Path store = Files.createDirectories(folder.resolve("data"));
        int code = run(
                "doctor",
                "--url",
                NOBODY,
                "--metadata",
                "127.0.0.1:0",
                "--control",
                "127.0.0.1:0",
                "--store",
                "sqlite:" + store,
                "--fleet",
                "/does/not/exist");
        assertEquals(ExitCode.REFUSED, code);
        assertTrue(out.toString().contains("server: no server answers"), out.toString());
        assertTrue(out.toString().contains("file: the fleet file /does/not/exist cannot be read"), out.toString());
        assertEquals(
                2, out.toString().lines().filter(l -> l.startsWith("  fix: ")).count(), out.toString());
    }

    private int run(String... args) {
        out.getBuffer().setLength(0);
        err.getBuffer().setLength(0);
        return Main.run(new PrintWriter(out, true), new PrintWriter(err, true), args);
    }
}
