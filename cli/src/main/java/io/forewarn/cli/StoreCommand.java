package io.forewarn.cli;

import io.forewarn.core.LostCommits;
import io.forewarn.server.boot.StoreBackups;
import io.forewarn.server.boot.StoreLoss;
import io.forewarn.server.settings.LoadedSettings;
import io.forewarn.server.settings.Settings;
import io.forewarn.server.settings.StoreSettings;
import io.forewarn.server.store.StoreCopy;
import io.forewarn.wire.control.Json;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Backs up, restores, copies and repairs stores. */
@Command(
        name = "store",
        addMethodSubcommands = false,
        description = "Stores: backups, moving between SQLite and etcd, and continuing after lost records.",
        footer = {
            "",
            "Examples:",
            "  forewarn store backup /var/backups/forewarn.backup",
            "  forewarn store restore /var/backups/forewarn.backup",
            "  forewarn store copy sqlite:/var/lib/forewarn/store etcd:http://10.0.0.1:2379,http://10.0.0.2:2379",
            "  forewarn store copy etcd:http://10.0.0.1:2379 sqlite:./backup",
            "  forewarn store accept-loss sqlite:/var/lib/forewarn/store"
        })
final class StoreCommand {
    /** What the Debian packages install. */
    private static final Path INSTALLED = Path.of("/etc/forewarn/forewarn.yaml");

    @Spec
    private CommandSpec command;

    /** Names the store by the settings of its server. */
    static final class ServerSettings {
        @Option(
                names = "--config",
                paramLabel = "FILE",
                description =
                        "Settings file of the server; default: FOREWARN_CONFIG, else /etc/forewarn/forewarn.yaml.")
        private Path config;

        @Option(
                names = "--set",
                paramLabel = "KEY=VALUE",
                description = "One setting, such as store.location=sqlite:./a.")
        private Map<String, String> set;

        Settings load(Map<String, String> environment) {
            String named = environment.get("FOREWARN_CONFIG");
            Path file = config != null
                    ? config
                    : named != null ? Path.of(named) : Files.isReadable(INSTALLED) ? INSTALLED : null;
            return LoadedSettings.load(file, environment, set == null ? Map.of() : set)
                    .settings();
        }
    }

    @Command(
            description = {
                "Back the store up into one file. The server may be running.",
                "",
                "The file is a consistent copy of everything that was acknowledged when the command began. It contains the secrets of",
                "webhooks; only its owner can read it."
            },
            footer = {
                "",
                "Examples:",
                "  forewarn store backup /var/backups/forewarn-$(date +%F).backup",
                "  forewarn store backup ./a.backup --set store.location=sqlite:./forewarn-data"
            })
    int backup(
            @Parameters(paramLabel = "FILE", description = "New file for the backup.") Path file,
            @Mixin ServerSettings server,
            @Option(names = "--json", description = "Print JSON.") boolean json) {
        Settings settings = server.load(System.getenv());
        long commit = StoreBackups.backup(settings, file);
        print(json, commit, settings.store().location() + " is backed up to " + file + ", up to commit " + commit);
        return ExitCode.DONE;
    }

    @Command(
            description = {
                "Replace the store by a backup. No server may be using it.",
                "",
                "The replaced file stays beside the store, as forewarn.db-before-restore. The audit log records that later changes may",
                "be lost. An etcd must be empty."
            },
            footer = {
                "",
                "Examples:",
                "  forewarn store restore /var/backups/forewarn-2026-11-30.backup",
                "  forewarn store restore ./a.backup --set store.location=sqlite:./forewarn-data"
            })
    int restore(
            @Parameters(paramLabel = "FILE", description = "The backup.") Path file,
            @Mixin ServerSettings server,
            @Option(names = "--json", description = "Print JSON.") boolean json) {
        Settings settings = server.load(System.getenv());
        long commit = StoreBackups.restore(settings, file);
        print(json, commit, settings.store().location() + " is restored from " + file + ", up to commit " + commit);
        return ExitCode.DONE;
    }

    private void print(boolean json, long commit, String sentence) {
        command.commandLine()
                .getOut()
                .println(
                        json
                                ? new String(Json.write(Map.of("commit", commit)), StandardCharsets.UTF_8)
                                : ControlCharacters.line(sentence));
    }

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
