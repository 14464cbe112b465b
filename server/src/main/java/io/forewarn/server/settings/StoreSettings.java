package io.forewarn.server.settings;

import io.forewarn.core.Problem;
import io.forewarn.core.RefusedException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;

/**
 * Settings of the store.
 *
 * @param location store location, {@code sqlite:DIRECTORY} or {@code etcd:URL,URL,URL}
 * @param logRetention how long the history and the audit log are kept
 * @param etcd etcd store
 */
public record StoreSettings(String location, Duration logRetention, EtcdSettings etcd) {
    private static final String SQLITE = "sqlite:";
    private static final String ETCD = "etcd:";

    static final StoreSettings DEFAULTS =
            new StoreSettings("sqlite:./forewarn-data", Duration.ofDays(90), EtcdSettings.DEFAULTS);

    public StoreSettings {
        boolean file = location.startsWith(SQLITE) && location.length() > SQLITE.length();
        if (!file && !location.startsWith(ETCD)) {
            throw new RefusedException(
                    Problem.BAD_INPUT,
                    "'" + location
                            + "' is not a store; use sqlite:PATH, as in sqlite:./data, or etcd:URL,URL,URL, as in etcd:http://127.0.0.1:2379");
        }
        if (!file) {
            urls(location);
        }
    }

    /** Whether nodes share the store. */
    public boolean shared() {
        return location.startsWith(ETCD);
    }

    public Path sqlite() {
        return Path.of(location.substring(SQLITE.length()));
    }

    public List<URI> urls() {
        return urls(location);
    }

    private static List<URI> urls(String location) {
        List<URI> urls = Arrays.stream(location.substring(ETCD.length()).split(",", -1))
                .map(text -> url(text.strip()))
                .toList();
        if (urls.stream().map(URI::getScheme).distinct().count() > 1) {
            throw new RefusedException(
                    Problem.BAD_INPUT, "'" + location + "' mixes http and https; all members must use the same");
        }
        return urls;
    }

    private static URI url(String text) {
        try {
            URI url = URI.create(text);
            boolean plain = url.getUserInfo() == null
                    && url.getQuery() == null
                    && url.getFragment() == null
                    && (url.getPath().isEmpty() || url.getPath().equals("/"));
            boolean http = "http".equals(url.getScheme()) || "https".equals(url.getScheme());
            if (http && url.getHost() != null && url.getPort() > 0 && plain) {
                return url;
            }
        } catch (IllegalArgumentException | NullPointerException none) {
            // Reported below, like a wrong scheme.
        }
        throw new RefusedException(
                Problem.BAD_INPUT,
                "'" + text
                        + "' is not an etcd address; use http://HOST:PORT or https://HOST:PORT, as in http://127.0.0.1:2379");
    }
}
