package io.forewarn.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.forewarn.server.boot.Service;
import io.forewarn.server.log.Log;
import io.forewarn.server.log.LogFormat;
import io.forewarn.server.settings.LoadedSettings;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What owners write does not move an operator's cursor, or make up lines of its own. */
final class ControlCharactersTest {
    private static final String HOSTILE = "ok\u001b[2J\u001b]0;root\u0007\nnext\r\u009b1A\u202etxt\u007f";
    private static final String SHOWN = "ok\\u001b[2J\\u001b]0;root\\u0007\\nnext\\r\\u009b1A\\u202etxt\\u007f";

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @Test
    void controlCharactersAreEscaped() {
        assertEquals(SHOWN, ControlCharacters.line(HOSTILE));
        assertEquals("a\nb\tc\\u001b", ControlCharacters.text("a\nb\tc\u001b"));
        assertEquals("grün 中 🚀 ok", ControlCharacters.line("grün 中 🚀 ok"));
        assertEquals("\\ud83d", ControlCharacters.line("\ud83d"));
    }

    @Test
    void noCommandPrintsOwnersTextAsItIs(@TempDir Path folder) throws Exception {
        Map<String, String> settings = Map.of(
                "listen.metadata", "127.0.0.1:0",
                "listen.control", "127.0.0.1:0",
                "profile", "test",
                "store.location", "sqlite:" + folder.resolve("data"));
        Service service = Service.start(
                LoadedSettings.load(null, Map.of(), settings).settings(),
                Log.to(line -> {}, LogFormat.LOGFMT),
                died -> {});
        try {
            String url = "http://" + service.control();
            assertEquals(
                    ExitCode.DONE, run(url, "vm", "restart", "FrontEnd_IN_0", "--description", HOSTILE), err::toString);
            String id = out.toString().split(" ")[0];
            assertEquals(ExitCode.DONE, run(url, "vm", "add", "bad", "--tag", "note=" + HOSTILE), err::toString);
            List<List<String>> commands = List.of(
                    List.of("event", "show", id),
                    List.of("vm", "show", "bad"),
                    List.of("event", "list"),
                    List.of("event", "show", id, "--json"),
                    List.of("history"),
                    List.of("audit", "list"),
                    List.of("vm", "show", HOSTILE),
                    List.of("event", "show", HOSTILE),
                    List.of("vm", HOSTILE),
                    List.of("policy", "set", "--window", HOSTILE),
                    List.of("watch", "--no-follow", "--since", "0.0"));
            for (List<String> command : commands) {
                run(url, command.toArray(String[]::new));
                String printed = out.toString() + err;
                assertTrue(
                        printed.chars().allMatch(c -> c == '\n' || c >= ' ' && c < 0x7f || c > 0xa0 && c != 0x202e),
                        () -> command + ": " + printed);
                assertFalse(printed.lines().anyMatch(l -> l.startsWith("next")), () -> command + ": " + printed);
            }
            run(url, "event", "show", id);
            assertTrue(out.toString().contains(SHOWN), out.toString());
            run(url, "vm", "show", "bad");
            assertTrue(out.toString().contains("note=" + SHOWN), out.toString());
        } finally {
            service.close();
        }
    }

    private int run(String url, String... args) {
        out.getBuffer().setLength(0);
        err.getBuffer().setLength(0);
        String[] all = Arrays.copyOf(args, args.length + 2);
        all[args.length] = "--url";
        all[args.length + 1] = url;
        return Main.run(new PrintWriter(out, true), new PrintWriter(err, true), all);
    }
}
