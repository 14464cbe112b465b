package io.forewarn.server.settings;

import io.forewarn.core.Problem;
import io.forewarn.core.RefusedException;
import java.time.Duration;

/**
 * How etcd is used, if records are kept there.
 *
 * @param prefix what all keys begin with; services that share an etcd take different ones
 * @param ca PEM file of the certificates to believe in; blank: those the system believes in
 * @param cert PEM file of the certificate to show, if etcd asks for one
 * @param key PEM file of that certificate's key
 * @param user who we are for etcd; blank: nobody
 * @param passwordFile the file with that user's password; one line
 * @param timeout how long one request to etcd may take
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
            throw new RefusedException(Problem.BAD_INPUT, "a timeout under 100ms would take every pause for a failure");
        }
    }
}
