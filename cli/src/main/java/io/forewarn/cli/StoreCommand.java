package io.forewarn.cli;

import io.forewarn.core.LostCommits;
import io.forewarn.server.boot.StoreCopy;
import io.forewarn.server.boot.StoreLoss;
import io.forewarn.server.settings.LoadedSettings;
import io.forewarn.server.settings.StoreSettings;
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

/** What is done to stores while no server uses them. */
@Command(
        name = "store",
        addMethodSubcommands = false,
        description = "Stores: moving from a file to etcd and back, backups, and what to do about lost records.",
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
                "Copies everything from one store into another that was never used.",
                "",
                "A file must not be in use. An etcd may be: then the copy is of one moment, which makes a backup. Moving",
                "means: end the servers, copy, start them on the new store."
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
            @Parameters(paramLabel = "TO", description = "The same; never used before.") String to,
            @Option(names = "--config", paramLabel = "FILE", description = "Settings, YAML: how etcd is reached.")
                    Path config,
            @Option(names = "--set", paramLabel = "KEY=VALUE", description = "One of them, as store.etcd.ca=FILE.")
                    Map<String, String> set,
            @Option(names = "--json", description = "Print JSON for programs.") boolean json) {
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
                "Goes on without records that were acknowledged and are lost.",
                "",
                "A server does not serve a file that lost commits, or that is gone: it says so and names this command.",
                "First look for a copy of the file: what is lost stays lost afterwards. The audit log tells of it."
            },
            footer = {"", "Examples:", "  forewarn store accept-loss sqlite:/var/lib/forewarn/store"})
    int acceptLoss(
            @Parameters(paramLabel = "STORE", description = "sqlite:PATH; no server may be using it.") String store,
            @Option(names = "--config", paramLabel = "FILE", description = "Settings, YAML.") Path config,
            @Option(names = "--json", description = "Print JSON for programs.") boolean json) {
        LostCommits lost =
                StoreLoss.accept(LoadedSettings.load(config, System.getenv(), Map.of("store.location", store))
                        .settings());
        PrintWriter out = command.commandLine().getOut();
        out.println(
                json
                        ? new String(
                                Json.write(Map.of("first", lost.first(), "last", lost.last())), StandardCharsets.UTF_8)
                        : store + " goes on without " + lost);
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
