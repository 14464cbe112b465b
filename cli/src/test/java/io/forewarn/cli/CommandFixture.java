package io.forewarn.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.forewarn.server.boot.Service;
import io.forewarn.server.log.Log;
import io.forewarn.server.log.LogFormat;
import io.forewarn.server.settings.LoadedSettings;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** The command line beside a running service with the demo fleet and the manual clock. */
abstract class CommandFixture {
    static final Pattern ID = Pattern.compile("[0-9A-F]{8}-[0-9A-F-]{27}");

    @TempDir
    Path folder;

    final StringWriter out = new StringWriter();
    final StringWriter err = new StringWriter();
    Service service;

    @BeforeEach
    void open() {
        open("0s");
    }

    void open(String resumeGrace) {
        Map<String, String> settings = Map.of(
                "listen.metadata", "127.0.0.1:0",
                "listen.control", "127.0.0.1:0",
                "profile", "test",
                "clock.kind", "manual",
                "clock.resume-grace", resumeGrace,
                "store.location", "sqlite:" + folder.resolve("data"));
        service = Service.start(
                LoadedSettings.load(null, Map.of(), settings).settings(),
                Log.to(line -> {}, LogFormat.LOGFMT),
                died -> {});
    }

    @AfterEach
    void close() {
        service.close();
    }

    /** The event of the last answer. */
    String id() {
        Matcher matcher = ID.matcher(out.toString());
        assertTrue(matcher.find(), out.toString());
        return matcher.group();
    }

    void done(String... args) {
        assertEquals(ExitCode.DONE, run(args), () -> String.join(" ", args) + ": " + err);
    }

    /** What was printed contains all of these. */
    void told(String... parts) {
        for (String part : parts) {
            assertTrue(out.toString().contains(part), () -> "no '" + part + "' in " + out);
        }
    }

    void refused(String reason, String... args) {
        assertEquals(ExitCode.REFUSED, run(args), () -> String.join(" ", args) + ": " + out + err);
        assertTrue(err.toString().contains(reason), err.toString());
    }

    int run(String... args) {
        out.getBuffer().setLength(0);
        err.getBuffer().setLength(0);
        String[] all = Arrays.copyOf(args, args.length + 2);
        all[args.length] = "--url";
        all[args.length + 1] = "http://" + service.control();
        return Main.run(new PrintWriter(out, true), new PrintWriter(err, true), all);
    }
}
