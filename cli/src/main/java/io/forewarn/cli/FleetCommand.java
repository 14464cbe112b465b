package io.forewarn.cli;

import io.forewarn.wire.control.CommandResultBody;
import io.forewarn.wire.control.Route;
import io.forewarn.wire.control.StatusBody;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The fleet as a file. */
@Command(
        name = "fleet",
        addMethodSubcommands = false,
        description = "The fleet as a file: YAML, or JSON Lines for big ones.",
        footer = {
            "",
            "Examples:",
            "  forewarn fleet export > fleet.yaml",
            "  forewarn fleet diff fleet.yaml               says what that would change",
            "  forewarn fleet apply fleet.yaml              adds and changes",
            "  forewarn fleet apply fleet.yaml --prune      also removes what the file does not name"
        })
final class FleetCommand {
    private static final long BIG = 8L << 20;
    private static final long UNKNOWN = -1;
    private static final int PART = 1 << 16;

    @Command(
            description = "Makes the fleet like a file: adds and changes; nothing happens when it is equal.",
            footer = {
                "",
                "Examples:",
                "  forewarn fleet apply fleet.yaml --dry-run    says what it would do, and does nothing",
                "  forewarn fleet apply fleet.yaml",
                "  ssh other forewarn fleet export | forewarn fleet apply -",
                "  forewarn fleet apply fleet.yaml --prune      also removes what the file does not name"
            })
    int apply(
            @Mixin ServerCommand serverCommand,
            @Parameters(paramLabel = "FILE", description = "YAML or JSON Lines; - for standard input.") Path file,
            @Option(
                            names = "--prune",
                            description = "Also remove what the file does not name, in the tenants it names.")
                    boolean prune,
            @Option(names = "--dry-run", description = "Only say what would be done.") boolean dry)
            throws IOException {
        return send(serverCommand, file, prune, dry);
    }

    @Command(
            description = "Says what applying a file would add, change, move and remove, by name. Changes nothing.",
            footer = {
                "",
                "Examples:",
                "  forewarn fleet diff fleet.yaml",
                "  forewarn fleet diff fleet.yaml --prune      also what the file does not name"
            })
    int diff(
            @Mixin ServerCommand serverCommand,
            @Parameters(paramLabel = "FILE", description = "YAML or JSON Lines; - for standard input.") Path file,
            @Option(names = "--prune", description = "As if applied with --prune.") boolean prune)
            throws IOException {
        return send(serverCommand, file, prune, true);
    }

    private static int send(ServerCommand serverCommand, Path file, boolean prune, boolean dry) throws IOException {
        boolean piped = file.toString().equals("-");
        if (!piped && (!Files.isReadable(file) || Files.isDirectory(file))) {
            throw new CommandRefusedException("the fleet file " + file + " does not exist or cannot be read");
        }
        // A server that refuses while a long file is still on its way could not say why.
        serverCommand.client().ask(StatusBody.class, Route.STATUS);
        long size = piped ? UNKNOWN : Files.size(file);
        byte[] answer = serverCommand.client().bytes(Route.FLEET_APPLY, List.of(), query(prune, dry), connection -> {
            connection.setRequestProperty("Content-Type", "application/octet-stream");
            if (piped) {
                connection.setChunkedStreamingMode(PART);
            } else {
                connection.setFixedLengthStreamingMode(size);
                if (size > BIG) {
                    // A server that does not want it says so and hangs up; half a file on its way would drown its
                    // words.
                    connection.setRequestProperty("Expect", "100-continue");
                }
            }
            try (InputStream in = piped ? System.in : Files.newInputStream(file);
                    OutputStream out = connection.getOutputStream()) {
                send(serverCommand, in, out, size);
            }
        });
        return serverCommand.one(
                CommandResultBody.class, answer, o -> ActionResultPrinter.fleet(serverCommand, o, dry));
    }

    private static Map<String, String> query(boolean prune, boolean dry) {
        return ServerCommand.query("prune", prune ? "true" : null, "dry-run", dry ? "true" : null);
    }

    private static void send(ServerCommand serverCommand, InputStream in, OutputStream out, long size)
            throws IOException {
        byte[] part = new byte[PART];
        long sent = 0;
        long told = 0;
        for (int n = in.read(part); n >= 0; n = in.read(part)) {
            out.write(part, 0, n);
            sent += n;
            long percent = sent * 100 / Math.max(1, size);
            if (size > BIG && percent >= told + 10) {
                told = percent;
                serverCommand.warn("sent " + percent + " % of " + (size >> 20) + " MiB"
                        + (percent == 100 ? "; the server is working it in" : ""));
            }
        }
    }

    @Command(
            description = "Prints the fleet as a file that, applied again, changes nothing.",
            footer = {
                "",
                "Examples:",
                "  forewarn fleet export > fleet.yaml",
                "  forewarn fleet export --format jsonl --tenant shop"
            })
    int export(
            @Mixin ServerCommand serverCommand,
            @Option(names = "--format", paramLabel = "FORMAT", description = "yaml or jsonl; yaml unless said.")
                    String format,
            @Option(names = "--tenant", paramLabel = "NAME", description = "Only this tenant's.") String tenant) {
        String style = format == null && serverCommand.json() ? "jsonl" : format;
        serverCommand
                .client()
                .copy(Route.FLEET, ServerCommand.query("format", style, "tenant", tenant), serverCommand.data());
        return ExitCode.DONE;
    }
}
