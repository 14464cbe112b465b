package io.forewarn.server.forward;

import java.net.ConnectException;
import java.security.GeneralSecurityException;
import java.util.Locale;
import javax.net.ssl.SSLException;

/** Why a node cannot be reached, for people. */
public final class ConnectErrors {
    private ConnectErrors() {}

    /** @param node its control */
    public static String why(Throwable failure, String node) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof SSLException || cause instanceof GeneralSecurityException) {
                return tls(deepest(cause), node);
            }
            if (cause instanceof ConnectException) {
                return "nothing answers there, or something in between keeps it away";
            }
        }
        return deepest(failure);
    }

    /** The connection came about, and ended without an answer. */
    public static String unanswered(String node, boolean secure) {
        return node + " ends connections, or lets them wait, without an answer"
                + (secure
                        ? ""
                        : "; if its control speaks TLS, this node's must, too: listen.tls-cert and listen.tls-key");
    }

    private static String tls(String said, String node) {
        String words = said.toLowerCase(Locale.ROOT);
        if (words.contains("certification path") || words.contains("trust") || words.contains("signature")) {
            return "this node does not believe the certificate of " + node
                    + ": listen.tls-cert must hold the chain up to the authority that signed the certificates of all nodes";
        }
        if (words.contains("subject alternative") || words.contains("no name matching")) {
            return "the certificate of " + node + " is for another name; it must stand in it, or be given as"
                    + " cluster.advertise: " + said;
        }
        if (words.contains("not an ssl/tls record") || words.contains("plaintext")) {
            return node + " does not speak TLS, and this node does: give listen.tls-cert to all nodes, or to none";
        }
        return "no TLS with " + node + ": " + said;
    }

    private static String deepest(Throwable failure) {
        String found = failure.getClass().getSimpleName();
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            String said = cause.getMessage();
            found = said == null || said.isBlank()
                    ? found
                    : said.lines().findFirst().orElse(found);
        }
        return found;
    }
}
