package io.forewarn.cli;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Limits a long list to one page for people, unless they ask for more. JSON output is complete. */
final class Paging {
    static final int PAGE = 100;

    @Spec(Spec.Target.MIXEE)
    private CommandSpec command;

    @Option(names = "--limit", paramLabel = "N", description = "Maximum number of rows; default: " + PAGE + ".")
    private Long limit;

    @Option(names = "--all", description = "No limit.")
    private boolean all;

    long most() {
        if (limit != null && limit < 1) {
            throw new ParameterException(command.commandLine(), "--limit must be 1 or more, not " + limit);
        }
        if (limit != null && all) {
            throw new ParameterException(command.commandLine(), "only one of --limit and --all can be given");
        }
        return all ? Long.MAX_VALUE : limit == null ? PAGE : limit;
    }

    /** Adds a limit to a query: one more than is printed, to know whether there are more. */
    Map<String, String> query(Map<String, String> query, boolean json) {
        long most = most();
        Map<String, String> limited = new LinkedHashMap<>(query);
        if (json && limit != null) {
            limited.put("limit", String.valueOf(limit));
        } else if (!json && !all) {
            limited.put("limit", String.valueOf(most + 1));
        }
        return limited;
    }

    /** Prints the rows of the page and counts the others. */
    final class Rows {
        private final ServerCommand serverCommand;
        private final Table table;
        private final long most = most();
        private long seen;

        Rows(ServerCommand serverCommand, Table table) {
            this.serverCommand = serverCommand;
            this.table = table;
        }

        void row(List<String> cells) {
            if (seen++ < most) {
                table.row(cells);
            }
        }

        /** Prints how to get the rest, and returns how many rows were printed. */
        int end() {
            int printed = table.end();
            if (seen > most) {
                serverCommand.warn("The first " + most + " are shown; use --all or --limit N to see more.");
            }
            return printed;
        }
    }
}
