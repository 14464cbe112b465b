package io.forewarn.cli;

import io.forewarn.core.LostCommits;
import io.forewarn.server.boot.StoreLoss;
import io.forewarn.server.settings.LoadedSettings;
import io.forewarn.server.settings.StoreSettings;
import io.forewarn.server.store.StoreCopy;
import io.forewarn.wire.control.Json;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Copies and repairs stores while no server uses them. */
@Command(
        name = "store",
        addMethodSubcommands = false,
        description = "Stores: moving between SQLite and etcd, backups, and continuing after lost records.",
        footer = {
            "",
            "Examples:",
            "  forewarn store copy sqlite:/var/lib/forewarn/store etcd:http://10.0.0.1:2379,http://10.0.0.2:2379",
            "  forewarn store copy etcd:http://10.0.0.1:2379 sqlite:./backup",
            "  forewarn store accept-loss sqlite:/var/lib/forewarn/store"
        })
final class StoreCommand {
    @Spec
    private CommandSpec command;

    @Command(
            description = {
                "Copy everything from one store into a new, empty one.",
                "",
                "A SQLite store must not be in use. An etcd store may be: the copy is a consistent snapshot, usable as a backup. To",
                "move, stop the servers, copy, and start them on the new store."
            },
            footer = {
                "",
                "Examples:",
                "  forewarn store copy sqlite:/var/lib/forewarn/store etcd:http://10.0.0.1:2379,http://10.0.0.2:2379",
                "  forewarn store copy etcd:http://10.0.0.1:2379 sqlite:./backup",
                "  forewarn store copy sqlite:./a etcd:https://10.0.0.1:2379 --set store.etcd.ca=ca.pem"
            })
    int copy(
            @Parameters(paramLabel = "FROM", description = "sqlite:PATH or etcd:URL,URL,URL.") String from,
            @Parameters(paramLabel = "TO", description = "The same; new and empty.") String to,
            @Option(
                            names = "--config",
                            paramLabel = "FILE",
                            description = "Settings file, YAML, for the connection to etcd.")
                    Path config,
            @Option(names = "--set", paramLabel = "KEY=VALUE", description = "One setting, such as store.etcd.ca=FILE.")
                    Map<String, String> set,
            @Option(names = "--json", description = "Print JSON.") boolean json) {
        long records = StoreCopy.copy(settings(from, config, set), settings(to, config, set));
        PrintWriter out = command.commandLine().getOut();
        out.println(
                json
                        ? new String(Json.write(Map.of("records", records)), StandardCharsets.UTF_8)
                        : records + " records copied from " + from + " to " + to);
        return ExitCode.DONE;
    }

    @Command(
            name = "accept-loss",
            description = {
                "Continue without acknowledged records that are lost.",
                "",
                "A server refuses to start on a store that lost commits or is missing, and its error message names this command.",
                "Look for a backup of the file first: afterwards the loss is final. The audit log records it."
            },
            footer = {"", "Examples:", "  forewarn store accept-loss sqlite:/var/lib/forewarn/store"})
    int acceptLoss(
            @Parameters(paramLabel = "STORE", description = "sqlite:PATH; no server may be using it.") String store,
            @Option(names = "--config", paramLabel = "FILE", description = "Settings, YAML.") Path config,
            @Option(names = "--json", description = "Print JSON.") boolean json) {
        LostCommits lost =
                StoreLoss.accept(LoadedSettings.load(config, System.getenv(), Map.of("store.location", store))
                        .settings());
        PrintWriter out = command.commandLine().getOut();
        out.println(
                json
                        ? new String(
                                Json.write(Map.of("first", lost.first(), "last", lost.last())), StandardCharsets.UTF_8)
                        : store + " continues without " + lost);
        return ExitCode.DONE;
    }

    private static StoreSettings settings(String location, Path config, Map<String, String> set) {
        Map<String, String> flags = new LinkedHashMap<>();
        if (set != null) {
            flags.putAll(set);
        }
        flags.put("store.location", location);
        return LoadedSettings.load(config, System.getenv(), flags).settings().store();
    }
}
