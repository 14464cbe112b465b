package io.forewarn.cli;

import io.forewarn.server.settings.LoadedSettings;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import picocli.CommandLine.Option;

/** Maps the flags of {@code serve} to setting keys. */
final class ServeFlags {
    @Option(names = "--fleet", paramLabel = "FILE", description = "Fleet file to apply at startup.")
    private String fleet;

    @Option(names = "--prune", description = "With --fleet: also remove what the file does not contain.")
    private boolean prune;

    @Option(
            names = "--store",
            paramLabel = "sqlite:PATH|etcd:URL,…",
            description = "Where records are stored: in a local file, or in an etcd cluster shared by several nodes.")
    private String store;

    @Option(
            names = "--metadata",
            paramLabel = "HOST:PORT",
            description = "Metadata listen address; port 0 picks a free port.")
    private String metadata;

    @Option(
            names = "--control",
            paramLabel = "HOST:PORT",
            description = "Control API listen address; port 0 picks a free port.")
    private String control;

    @Option(names = "--clock", paramLabel = "system|manual", description = "Clock source.")
    private String clock;

    @Option(
            names = "--profile",
            paramLabel = "azure|test",
            description = "azure: as Azure behaves; test: always enabled, without rate limits.")
    private String profile;

    @Option(names = "--tls-cert", paramLabel = "FILE", description = "PEM certificate chain of the control listener.")
    private String tlsCert;

    @Option(names = "--tls-key", paramLabel = "FILE", description = "PEM private key of the control listener.")
    private String tlsKey;

    @Option(
            names = "--log-format",
            paramLabel = "FORMAT",
            description = "logfmt, json, or journald (logfmt with a priority prefix; default under systemd).")
    private String logFormat;

    @Option(names = "--config", paramLabel = "FILE", description = "Settings file, YAML; default: FOREWARN_CONFIG.")
    private Path config;

    @Option(names = "--set", paramLabel = "KEY=VALUE", description = "Any setting, such as terms.disable-after=1h.")
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
