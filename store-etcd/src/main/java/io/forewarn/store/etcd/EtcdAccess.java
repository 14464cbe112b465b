package io.forewarn.store.etcd;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Where etcd is and how to be let in.
 *
 * @param urls its members: {@code http} or {@code https}, host and port
 * @param prefix what all keys begin with; services that share an etcd take different ones
 * @param ca PEM certificates to believe in; empty: those the system believes in
 * @param identity what to show if etcd asks for a certificate
 * @param login user and password; empty: none
 * @param timeout how long one request may take
 */
public record EtcdAccess(
        List<URI> urls,
        String prefix,
        Optional<Path> ca,
        Optional<Identity> identity,
        Optional<Login> login,
        Duration timeout) {
    public static final String DEFAULT_PREFIX = "forewarn/";
    public static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(3);

    /** PEM files of a certificate chain and its key. */
    public record Identity(Path cert, Path key) {}

    /** A user of etcd. */
    public record Login(String user, String password) {
        @Override
        public String toString() {
            return user + ":***";
        }
    }

    public EtcdAccess {
        urls = List.copyOf(urls);
    }

    /** Without TLS or password. */
    public static EtcdAccess to(List<URI> urls, String prefix) {
        return new EtcdAccess(urls, prefix, Optional.empty(), Optional.empty(), Optional.empty(), DEFAULT_TIMEOUT);
    }
}
