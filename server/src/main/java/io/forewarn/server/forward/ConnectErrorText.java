package io.forewarn.server.forward;

import java.net.ConnectException;
import java.security.GeneralSecurityException;
import java.security.SignatureException;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.util.Locale;
import javax.net.ssl.SSLException;

/** Explains to people why a node cannot be reached. */
public final class ConnectErrorText {
    private ConnectErrorText() {}

    /** @param node the address of its control listener */
    public static String why(Throwable failure, String node) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof SSLException || cause instanceof GeneralSecurityException) {
                return tls(cause, node);
            }
            if (cause instanceof ConnectException) {
                return "connection refused or timed out; check that it is running and that no firewall is in between";
            }
        }
        return deepest(failure);
    }

    /** The connection was established, and ended without an answer. */
    public static String unanswered(String node, boolean secure) {
        return node + " closes connections, or keeps them open, without an answer"
                + (secure
                        ? ""
                        : "; if its control listener uses TLS, this node's must, too: set listen.tls-cert and listen.tls-key");
    }

    private static String tls(Throwable failure, String node) {
        if (isBy(failure, CertificateExpiredException.class) || isBy(failure, CertificateNotYetValidException.class)) {
            return "the certificate of " + node + " has expired, or is not valid yet: " + deepest(failure);
        }
        if (isBy(failure, CertPathBuilderException.class)
                || isBy(failure, CertPathValidatorException.class)
                || isBy(failure, SignatureException.class)) {
            return "this node does not trust the certificate of " + node
                    + ": listen.tls-cert must hold the chain up to the authority that signed the certificates of all nodes";
        }
        // The JDK reports these two causes only in the text of the exception.
        String message = deepest(failure);
        String text = message.toLowerCase(Locale.ROOT);
        if (text.contains("subject alternative") || text.contains("no name matching")) {
            return "the certificate of " + node
                    + " is for another name; it must contain this name, or cluster.advertise must"
                    + " name one that it contains: " + message;
        }
        if (text.contains("not an ssl/tls record") || text.contains("plaintext")) {
            return node + " does not use TLS, and this node does: set listen.tls-cert on all nodes, or on none";
        }
        return "TLS with " + node + " failed: " + message;
    }

    private static boolean isBy(Throwable failure, Class<? extends Exception> type) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (type.isInstance(cause)) {
                return true;
            }
        }
        return false;
    }

    private static String deepest(Throwable failure) {
        String found = "no reason was given";
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            String message = cause.getMessage();
            found = message == null || message.isBlank()
                    ? found
                    : message.lines().findFirst().orElse(found);
        }
        return found;
    }
}
