package io.forewarn.cli;

import io.forewarn.cli.ContextFile.Context;
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

/** Connects to the server and prints responses, for every command that calls one. */
final class ServerCommand {
    static final String DEFAULT_URL = "http://127.0.0.1:8170";

    @Spec(Spec.Target.MIXEE)
    private CommandSpec command;

    @Option(names = "--json", description = "Print JSON.")
    private boolean json;

    @Option(
            names = "--url",
            paramLabel = "URL",
            description = "Server address; default: FOREWARN_URL, else that of the context in use, else " + DEFAULT_URL
                    + ". Of several addresses separated by commas, the first reachable node is used.")
    private String url;

    @Option(
            names = "--ca",
            paramLabel = "FILE",
            description =
                    "CA certificate (PEM) for https; default: FOREWARN_CA, else that of the context, else Java's trust store.")
    private String authority;

    ControlClient client() {
        return client(url, authority, System.getenv());
    }

    static ControlClient client(String url, String authority, Map<String, String> environment) {
        String given = url != null ? url : environment.get("FOREWARN_URL");
        // A context is used as a whole or not at all: its token is for its own server.
        Context context = given != null
                ? new Context(given, null, null)
                : ContextFile.of(environment).current().orElse(new Context(DEFAULT_URL, null, null));
        String named = authority != null ? authority : environment.get("FOREWARN_CA");
        String token = environment.get("FOREWARN_TOKEN");
        return new ControlClient(
                NodeSelector.of(context.url()),
                token != null ? token : context.token(),
                named != null ? named : context.ca());
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

    /** Prints a remark to standard error. */
    void warn(String line) {
        err().println(ControlCharacters.line(line));
    }

    /** Standard output for raw data; control characters are escaped on a terminal. */
    OutputStream data() {
        return new WriterStream(Terminal.here().shown() ? out() : ControlCharacterWriter.raw(out()));
    }

    /** Prints the unparsed response. */
    void raw(byte[] answer) {
        out().println(new String(answer, StandardCharsets.UTF_8).strip());
    }

    /** Prints a list, as JSON or as a table. */
    <T extends Record> int list(
            Class<T> type,
            Route route,
            Map<String, String> query,
            List<String> heads,
            String none,
            Function<T, List<String>> row) {
        return list(type, route, List.of(), query, heads, none, row);
    }

    /** @param parts the variable parts of the route */
    <T extends Record> int list(
            Class<T> type,
            Route route,
            List<String> parts,
            Map<String, String> query,
            List<String> heads,
            String none,
            Function<T, List<String>> row) {
        if (json) {
            client().copy(route, parts, query, data());
            return ExitCode.DONE;
        }
        Table table = new Table(out(), heads);
        client().each(type, route, parts, query, item -> table.row(row.apply(item)));
        if (table.end() == 0) {
            say(none);
            TenantCommand.warnOfNew(this, query.get("tenant"));
        }
        return ExitCode.DONE;
    }

    /** Prints a list that may be very long, as it arrives. */
    <T extends Record> int list(
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

    /** Prints one object, as JSON or with {@code telling}. */
    <T extends Record> int one(Class<T> type, byte[] answer, Consumer<T> telling) {
        if (json) {
            raw(answer);
        } else {
            try {
                telling.accept(Json.answer(type, answer));
            } catch (IOException strange) {
                throw new ServerUnreachableException(client().url(), "its response is not one of a Forewarn server");
            }
        }
        return ExitCode.DONE;
    }

    /** Query parameters, without null values. */
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
