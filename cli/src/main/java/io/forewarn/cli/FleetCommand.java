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

/** Applies, compares and exports fleet files. */
@Command(
        name = "fleet",
        addMethodSubcommands = false,
        description = "Fleet files: YAML, or JSON Lines for big fleets.",
        footer = {
            "",
            "Examples:",
            "  forewarn fleet export > fleet.yaml",
            "  forewarn fleet diff fleet.yaml               prints what that would change",
            "  forewarn fleet apply fleet.yaml              adds and changes",
            "  forewarn fleet apply fleet.yaml --prune      also removes what the file does not contain"
        })
final class FleetCommand {
    private static final long BIG = 8L << 20;
    private static final long UNKNOWN = -1;
    private static final int PART = 1 << 16;

    @Command(
            description =
                    "Add and change groups and machines as a file says; applying the same file again changes nothing.",
            footer = {
                "",
                "Examples:",
                "  forewarn fleet apply fleet.yaml --dry-run    prints what it would change, and changes nothing",
                "  forewarn fleet apply fleet.yaml",
                "  ssh other forewarn fleet export | forewarn fleet apply -",
                "  forewarn fleet apply fleet.yaml --prune      also removes what the file does not contain"
            })
    int apply(
            @Mixin ServerCommand serverCommand,
            @Parameters(paramLabel = "FILE", description = "YAML or JSON Lines; - for standard input.") Path file,
            @Option(
                            names = "--prune",
                            description = "In the tenants of the file, also remove what the file does not contain.")
                    boolean prune,
            @Option(names = "--dry-run", description = "Only print what would change.") boolean dry)
            throws IOException {
        return send(serverCommand, file, prune, dry);
    }

    @Command(
            description = "Print what applying a file would add, change, move and remove, by name. Changes nothing.",
            footer = {
                "",
                "Examples:",
                "  forewarn fleet diff fleet.yaml",
                "  forewarn fleet diff fleet.yaml --prune      also what the file does not contain"
            })
    int diff(
            @Mixin ServerCommand serverCommand,
            @Parameters(paramLabel = "FILE", description = "YAML or JSON Lines; - for standard input.") Path file,
            @Option(names = "--prune", description = "Compare as 'apply --prune' would.") boolean prune)
            throws IOException {
        return send(serverCommand, file, prune, true);
    }

    private static int send(ServerCommand serverCommand, Path file, boolean prune, boolean dry) throws IOException {
        boolean piped = file.toString().equals("-");
        if (!piped && (!Files.isReadable(file) || Files.isDirectory(file))) {
            throw new CommandRefusedException("the fleet file " + file + " does not exist or cannot be read");
        }
        // Asked first, because a server that refuses while a long file is being sent cannot say why.
        serverCommand.client().ask(StatusBody.class, Route.STATUS);
        long size = piped ? UNKNOWN : Files.size(file);
        byte[] answer = serverCommand.client().bytes(Route.FLEET_APPLY, List.of(), query(prune, dry), connection -> {
            connection.setRequestProperty("Content-Type", "application/octet-stream");
            if (piped) {
                connection.setChunkedStreamingMode(PART);
            } else {
                connection.setFixedLengthStreamingMode(size);
                if (size > BIG) {
                    // A server that refuses answers and closes the connection; its answer would be lost if half of the
                    // file was already sent.
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
                        + (percent == 100 ? "; the server is applying it" : ""));
            }
        }
    }

    @Command(
            description = "Print the fleet as a file that can be applied again.",
            footer = {
                "",
                "Examples:",
                "  forewarn fleet export > fleet.yaml",
                "  forewarn fleet export --format jsonl --tenant shop"
            })
    int export(
            @Mixin ServerCommand serverCommand,
            @Option(names = "--format", paramLabel = "FORMAT", description = "yaml or jsonl; default: yaml.")
                    String format,
            @Option(names = "--tenant", paramLabel = "NAME", description = "Only this tenant's.") String tenant) {
        String style = format == null && serverCommand.json() ? "jsonl" : format;
        serverCommand
                .client()
                .copy(Route.FLEET, ServerCommand.query("format", style, "tenant", tenant), serverCommand.data());
        return ExitCode.DONE;
    }
}
