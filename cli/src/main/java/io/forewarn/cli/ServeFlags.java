package io.forewarn.cli;

import io.forewarn.server.settings.LoadedSettings;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import picocli.CommandLine.Option;

/** The flags that are settings, by the keys they stand for. */
final class ServeFlags {
    @Option(names = "--fleet", paramLabel = "FILE", description = "Apply this fleet file at start.")
    private String fleet;

    @Option(names = "--prune", description = "With --fleet: also remove what it does not name.")
    private boolean prune;

    @Option(
            names = "--store",
            paramLabel = "sqlite:PATH|etcd:URL,…",
            description = "Where records are kept: in a file of this node, or in an etcd that nodes share.")
    private String store;

    @Option(
            names = "--metadata",
            paramLabel = "HOST:PORT",
            description = "Where machines ask; port 0 takes a free one.")
    private String metadata;

    @Option(names = "--control", paramLabel = "HOST:PORT", description = "Where people ask; port 0 takes a free one.")
    private String control;

    @Option(names = "--clock", paramLabel = "system|manual", description = "Whether time goes by itself.")
    private String clock;

    @Option(
            names = "--profile",
            paramLabel = "azure|test",
            description = "The contract, or always enabled without rate limit.")
    private String profile;

    @Option(names = "--tls-cert", paramLabel = "FILE", description = "PEM certificate chain of the control listener.")
    private String tlsCert;

    @Option(names = "--tls-key", paramLabel = "FILE", description = "PEM private key of the control listener.")
    private String tlsKey;

    @Option(
            names = "--log-format",
            paramLabel = "FORMAT",
            description = "logfmt, json, or journald: logfmt with a priority in front, usual when the journal listens.")
    private String logFormat;

    @Option(names = "--config", paramLabel = "FILE", description = "Settings, YAML; else FOREWARN_CONFIG.")
    private Path config;

    @Option(names = "--set", paramLabel = "KEY=VALUE", description = "Any setting, such as terms.silence=1h.")
    private Map<String, String> set;

    LoadedSettings load(Map<String, String> environment) {
        Map<String, String> flags = new LinkedHashMap<>();
        put(flags, "fleet.file", fleet);
        put(flags, "fleet.prune", prune ? "true" : null);
        put(flags, "store.location", store);
        put(flags, "listen.metadata", metadata);
        put(flags, "listen.control", control);
        put(flags, "clock.kind", clock);
        put(flags, "profile", profile);
        put(flags, "listen.tls-cert", tlsCert);
        put(flags, "listen.tls-key", tlsKey);
        put(flags, "log.format", logFormat);
        if (set != null) {
            flags.putAll(set);
        }
        Path file = config != null
                ? config
                : environment.containsKey("FOREWARN_CONFIG") ? Path.of(environment.get("FOREWARN_CONFIG")) : null;
        return LoadedSettings.load(file, environment, flags);
    }

    private static void put(Map<String, String> flags, String key, String value) {
        if (value != null) {
            flags.put(key, value);
        }
    }
}
