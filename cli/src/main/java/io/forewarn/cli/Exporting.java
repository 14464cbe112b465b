package io.forewarn.cli;

import io.forewarn.wire.control.Listing;
import io.forewarn.wire.control.Route;
import io.forewarn.wire.control.Words;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.HashMap;
import java.util.Map;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** A long answer as lines for other programs, to a file or to standard output. */
final class Exporting {
    @Spec(Spec.Target.MIXEE)
    private CommandSpec command;

    @Option(
            names = "--format",
            paramLabel = "jsonl|csv",
            description = "Write lines of JSON, or comma-separated values.")
    private String format;

    @Option(names = "--output", paramLabel = "FILE", description = "Write there; else to standard output.")
    private Path output;

    boolean asked() {
        if (format == null && output != null) {
            throw new ParameterException(command.commandLine(), "--output needs --format: jsonl or csv");
        }
        return format != null;
    }

    int export(Asking asking, Route route, Map<String, String> query) {
        Listing listing = Words.parse(Listing.class, format)
                .filter(l -> l != Listing.JSON)
                .orElseThrow(() -> new ParameterException(
                        command.commandLine(), "--format must be jsonl or csv, not '" + format + "'"));
        Map<String, String> asked = new HashMap<>(query);
        asked.put("format", Words.of(listing));
        if (output == null) {
            asking.client().copy(route, asked, new WriterStream(asking.out()));
            return Exit.DONE;
        }
        Path part = Path.of(output + ".part");
        try {
            try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(part))) {
                asking.client().copy(route, asked, out);
            }
            // Only what is whole gets the name.
            Files.move(part, output, StandardCopyOption.REPLACE_EXISTING);
            return Exit.DONE;
        } catch (IOException unwritable) {
            throw new Refused("'" + output + "' cannot be written: " + why(unwritable));
        }
    }

    private String why(IOException unwritable) {
        Path folder = output.toAbsolutePath().getParent();
        if (folder != null && !Files.isDirectory(folder)) {
            return "there is no folder '" + folder + "'";
        }
        if (Files.isDirectory(output)) {
            return "it is a folder";
        }
        if (unwritable instanceof AccessDeniedException) {
            return "you may not write there";
        }
        return unwritable instanceof FileSystemException told && told.getReason() != null
                ? told.getReason()
                : unwritable.getMessage();
    }
}
