package io.forewarn.store.etcd;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Holds the addresses and credentials of etcd.
 *
 * @param urls its members: {@code http} or {@code https}, host and port
 * @param prefix prefix of all keys; services that share an etcd cluster need different ones
 * @param ca PEM file of trusted CA certificates; empty: those the system trusts
 * @param identity the client certificate, if etcd requires one
 * @param login user and password; empty: none
 * @param timeout time limit of one request
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
