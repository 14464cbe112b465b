package io.forewarn.server.settings;

import io.forewarn.core.Problem;
import io.forewarn.core.RefusedException;
import java.time.Duration;

/**
 * Settings of the etcd store.
 *
 * @param prefix prefix of all keys; services that share an etcd cluster need different prefixes
 * @param ca PEM file with the CA certificates to trust; blank for the system's trust store
 * @param cert PEM file with the client certificate, if etcd requires one
 * @param key PEM file with that certificate's private key
 * @param user user name in etcd; blank for no authentication
 * @param passwordFile file with that user's password on one line
 * @param timeout time limit for one request to etcd
 */
public record EtcdSettings(
        String prefix, String ca, String cert, String key, String user, String passwordFile, Duration timeout) {
    static final EtcdSettings DEFAULTS = new EtcdSettings("forewarn/", "", "", "", "", "", Duration.ofSeconds(3));

    public EtcdSettings {
        if (!prefix.matches("[!-~]*/")) {
            throw new RefusedException(
                    Problem.BAD_INPUT,
                    "the prefix '" + prefix + "' must end with a slash and be plain characters, as in forewarn/");
        }
        if (cert.isBlank() != key.isBlank()) {
            throw new RefusedException(Problem.BAD_INPUT, "cert and key are given together or not at all");
        }
        if (user.isBlank() != passwordFile.isBlank()) {
            throw new RefusedException(Problem.BAD_INPUT, "user and password-file are given together or not at all");
        }
        if (timeout.compareTo(Duration.ofMillis(100)) < 0) {
            throw new RefusedException(
                    Problem.BAD_INPUT, "a timeout under 100ms would mistake every short delay for a failure");
        }
    }
}
