package io.forewarn.cli;

import io.forewarn.wire.control.Json;
import io.forewarn.wire.control.Route;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** What every command that asks a server has in common: where the server is, and for whom the answer is printed. */
final class ServerCommand {
    static final String DEFAULT_URL = "http://127.0.0.1:8170";

    @Spec(Spec.Target.MIXEE)
    private CommandSpec command;

    @Option(names = "--json", description = "Print JSON for programs.")
    private boolean json;

    @Option(
            names = "--url",
            paramLabel = "URL",
            description = "Where the server is; else FOREWARN_URL, else " + DEFAULT_URL
                    + ". Of several nodes, with commas between them, the first that is there is asked.")
    private String url;

    @Option(
            names = "--ca",
            paramLabel = "FILE",
            description = "Who vouches for an https server, as PEM; else FOREWARN_CA, else the authorities Java knows.")
    private String authority;

    ControlClient client() {
        return client(url, authority, System.getenv());
    }

    static ControlClient client(String url, String authority, Map<String, String> environment) {
        String base = url != null ? url : environment.getOrDefault("FOREWARN_URL", DEFAULT_URL);
        String vouching = authority != null ? authority : environment.get("FOREWARN_CA");
        return new ControlClient(NodeSelector.of(base), environment.get("FOREWARN_TOKEN"), vouching);
    }

    CommandLine commandLine() {
        return command.commandLine();
    }

    boolean json() {
        return json;
    }

    PrintWriter out() {
        return command.commandLine().getOut();
    }

    PrintWriter err() {
        return command.commandLine().getErr();
    }

    void say(String line) {
        out().println(ControlCharacters.line(line));
    }

    /** What is not the answer itself, but belongs to it. */
    void warn(String line) {
        err().println(ControlCharacters.line(line));
    }

    /** Where data goes, as it came; on a terminal it is made visible. */
    OutputStream data() {
        return new WriterStream(Terminal.here().shown() ? out() : ControlCharacterWriter.raw(out()));
    }

    /** An answer as it came. */
    void raw(byte[] answer) {
        out().println(new String(answer, StandardCharsets.UTF_8).strip());
    }

    /** A list: as it came for programs, as a table for people. */
    <T> int list(
            Class<T> type,
            Route route,
            Map<String, String> query,
            List<String> heads,
            String none,
            Function<T, List<String>> row) {
        if (json) {
            client().copy(route, query, data());
            return ExitCode.DONE;
        }
        Table table = new Table(out(), heads);
        client().each(type, route, query, item -> table.row(row.apply(item)));
        if (table.end() == 0) {
            say(none);
            TenantCommand.warnOfNew(this, query.get("tenant"));
        }
        return ExitCode.DONE;
    }

    /** The same for a list that may be very long. */
    <T> int list(
            Paging paging,
            Class<T> type,
            Route route,
            Map<String, String> query,
            List<String> heads,
            String none,
            Function<T, List<String>> row) {
        Map<String, String> limited = paging.query(query, json);
        if (json) {
            client().copy(route, limited, data());
            return ExitCode.DONE;
        }
        Paging.Rows rows = paging.new Rows(this, new Table(out(), heads));
        client().each(type, route, limited, item -> rows.row(row.apply(item)));
        if (rows.end() == 0) {
            say(none);
            TenantCommand.warnOfNew(this, query.get("tenant"));
        }
        return ExitCode.DONE;
    }

    /** One thing: as it came for programs, told by {@code telling} for people. */
    <T> int one(Class<T> type, byte[] answer, Consumer<T> telling) {
        if (json) {
            raw(answer);
        } else {
            try {
                telling.accept(Json.answer(type, answer));
            } catch (IOException strange) {
                throw new ServerUnreachableException(client().url(), "it does not answer like a Forewarn server");
            }
        }
        return ExitCode.DONE;
    }

    /** Query parameters without those not given. */
    static Map<String, String> query(String... pairs) {
        Map<String, String> query = new LinkedHashMap<>();
        for (int i = 0; i < pairs.length; i += 2) {
            if (pairs[i + 1] != null) {
                query.put(pairs[i], pairs[i + 1]);
            }
        }
        return query;
    }
}
