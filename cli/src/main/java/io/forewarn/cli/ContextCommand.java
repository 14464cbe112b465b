package io.forewarn.cli;

import io.forewarn.cli.ContextFile.Context;
import io.forewarn.cli.ContextFile.Contexts;
import io.forewarn.core.NameRules;
import io.forewarn.wire.control.Json;
import java.io.PrintWriter;
import java.net.MalformedURLException;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Adds, chooses, lists and removes the servers that commands are sent to. */
@Command(
        name = "context",
        addMethodSubcommands = false,
        description = "Contexts: the servers that you work with, and which of them commands are sent to.",
        footer = {
            "",
            "Examples:",
            "  forewarn context add prod --url https://10.0.0.1:8170 --ca ca.pem --token-file prod.token",
            "  forewarn context use prod",
            "  forewarn context list",
            "--url and FOREWARN_URL override the context, with its CA and its token."
        })
final class ContextCommand {
    @Spec
    private CommandSpec command;

    @Command(
            description = "Add or replace a context. The first one is used at once.",
            footer = {
                "",
                "Examples:",
                "  forewarn context add prod --url https://10.0.0.1:8170 --ca ca.pem --token-file prod.token",
                "  forewarn context add lab --url http://127.0.0.1:8170",
                "The token stays in its file, which is read for each command."
            })
    int add(
            @Parameters(paramLabel = "CONTEXT", description = "Its name.") String name,
            @Option(
                            names = "--url",
                            paramLabel = "URL",
                            description = "Server address, or several with commas between.")
                    String url,
            @Option(names = "--ca", paramLabel = "FILE", description = "CA certificate (PEM) for https.") Path ca,
            @Option(names = "--token-file", paramLabel = "FILE", description = "File with the token.") Path tokenFile,
            @Option(names = "--json", description = "Print JSON.") boolean json) {
        if (url == null) {
            throw new ParameterException(command.commandLine(), "--url is missing, as in --url https://10.0.0.1:8170");
        }
        if (!NameRules.valid(name)) {
            throw CommandRefusedException.wrong("'" + name + "' is not a name for a context; 'prod' would be right");
        }
        for (String one : url.split(",")) {
            check(one);
        }
        Context context = new Context(url, file("--ca", ca), file("--token-file", tokenFile));
        ContextFile file = ContextFile.of(System.getenv());
        Contexts all = file.read();
        Map<String, Context> contexts = new TreeMap<>(all.contexts());
        contexts.put(name, context);
        boolean first = all.current() == null;
        file.write(new Contexts(first ? name : all.current(), contexts));
        return say(
                json,
                Map.of("context", name, "used", first || name.equals(all.current())),
                first
                        ? "added " + name + "; commands use it now"
                        : "added " + name + "; 'forewarn context use " + name + "' sends commands there");
    }

    @Command(
            description = "Send commands to this server from now on.",
            footer = {"", "Examples:", "  forewarn context use prod", "  forewarn context use --none      this machine"
            })
    int use(
            @Parameters(paramLabel = "CONTEXT", arity = "0..1", description = "Its name.") String name,
            @Option(names = "--none", description = "No context: the server on this machine.") boolean none,
            @Option(names = "--json", description = "Print JSON.") boolean json) {
        if ((name == null) != none) {
            throw new ParameterException(command.commandLine(), "give the name of a context, or --none");
        }
        ContextFile file = ContextFile.of(System.getenv());
        Contexts all = file.read();
        if (!none) {
            known(all, name);
        }
        file.write(new Contexts(name, all.contexts()));
        String where =
                none ? ServerCommand.DEFAULT_URL : all.contexts().get(name).url();
        return say(json, Map.of("url", where), "commands are sent to " + where);
    }

    @Command(
            description = "List contexts; a star marks the one that commands use.",
            footer = {"", "Examples:", "  forewarn context list"})
    int list(@Option(names = "--json", description = "Print JSON.") boolean json) {
        Contexts all = ContextFile.of(System.getenv()).read();
        PrintWriter out = command.commandLine().getOut();
        if (json) {
            out.println(new String(Json.write(all), StandardCharsets.UTF_8));
            return ExitCode.DONE;
        }
        Table table = new Table(out, List.of("used", "name", "url", "ca", "token file"));
        all.contexts()
                .forEach((name, context) -> table.row(List.of(
                        name.equals(all.current()) ? "*" : "",
                        name,
                        context.url(),
                        context.ca() == null ? "" : context.ca(),
                        context.tokenFile() == null ? "" : context.tokenFile())));
        if (table.end() == 0) {
            out.println("No contexts; commands are sent to " + ServerCommand.DEFAULT_URL + ".");
        }
        return ExitCode.DONE;
    }

    @Command(
            description = "Remove a context. Its files stay.",
            footer = {"", "Examples:", "  forewarn context remove lab"})
    int remove(
            @Parameters(paramLabel = "CONTEXT", description = "Its name.") String name,
            @Option(names = "--json", description = "Print JSON.") boolean json) {
        ContextFile file = ContextFile.of(System.getenv());
        Contexts all = file.read();
        known(all, name);
        Map<String, Context> contexts = new TreeMap<>(all.contexts());
        contexts.remove(name);
        file.write(new Contexts(name.equals(all.current()) ? null : all.current(), contexts));
        return say(json, Map.of("context", name), "removed " + name);
    }

    private static void known(Contexts all, String name) {
        if (!all.contexts().containsKey(name)) {
            String near = NameRules.nearest(name, all.contexts().keySet())
                    .map(n -> "; did you mean '" + n + "'?")
                    .orElse("; 'forewarn context list' shows those there are");
            throw CommandRefusedException.wrong("there is no context '" + name + "'" + near);
        }
    }

    private static void check(String url) {
        try {
            URL parsed = new URL(url);
            if (parsed.getProtocol().startsWith("http") && !parsed.getHost().isEmpty()) {
                return;
            }
        } catch (MalformedURLException wrong) {
            // Said below, with what would be right.
        }
        throw CommandRefusedException.wrong(
                "'" + url + "' is not the address of a server; https://10.0.0.1:8170 would be right");
    }

    /** Absolute, because commands run in any folder. */
    private static String file(String option, Path file) {
        if (file == null) {
            return null;
        }
        if (!Files.isReadable(file)) {
            throw CommandRefusedException.wrong("the file " + file + " of " + option
                    + (Files.exists(file) ? " cannot be read by this user" : " does not exist"));
        }
        return file.toAbsolutePath().normalize().toString();
    }

    private int say(boolean json, Map<String, Object> members, String sentence) {
        command.commandLine()
                .getOut()
                .println(
                        json
                                ? new String(Json.write(members), StandardCharsets.UTF_8)
                                : ControlCharacters.line(sentence));
        return ExitCode.DONE;
    }
}
