package io.forewarn.cli;

import io.forewarn.wire.control.EnumNames;
import io.forewarn.wire.control.ListWriter;
import io.forewarn.wire.control.Route;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Exports a long response as JSON Lines or CSV, to a file or to standard output. */
final class ExportOutput {
    @Spec(Spec.Target.MIXEE)
    private CommandSpec command;

    @Option(names = "--format", paramLabel = "jsonl|csv", description = "Export as JSON Lines or as CSV.")
    private String format;

    @Option(names = "--output", paramLabel = "FILE", description = "File to write to; default: standard output.")
    private Path output;

    boolean asked() {
        if (format == null && output != null) {
            throw new ParameterException(command.commandLine(), "--output needs --format: jsonl or csv");
        }
        return format != null;
    }

    int export(ServerCommand serverCommand, Route route, Map<String, String> query) {
        ListWriter listWriter = EnumNames.parse(ListWriter.class, format)
                .filter(l -> l != ListWriter.JSON)
                .orElseThrow(() -> new ParameterException(
                        command.commandLine(), "--format must be jsonl or csv, not '" + format + "'"));
        Map<String, String> asked = new HashMap<>(query);
        asked.put("format", EnumNames.of(listWriter));
        Optional<OutputFile> file =
                Optional.ofNullable(output).map(OutputFile::of).filter(f -> !f.isStandardOutput());
        if (file.isEmpty()) {
            serverCommand.client().copy(route, asked, serverCommand.data());
            return ExitCode.DONE;
        }
        file.get().write(out -> serverCommand.client().copy(route, asked, out));
        return ExitCode.DONE;
    }
}
