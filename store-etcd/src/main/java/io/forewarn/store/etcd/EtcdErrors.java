package io.forewarn.store.etcd;

import io.forewarn.core.engine.StoreException;
import io.forewarn.core.engine.StoreException.Kind;
import io.grpc.Status;
import java.io.IOException;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.nio.channels.UnresolvedAddressException;
import java.security.GeneralSecurityException;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;

/**
 * Translates errors of etcd and of the connection to it into store errors.
 *
 * @param certain whether nothing was written for certain
 * @param elsewhere whether another member may succeed
 */
record EtcdErrors(boolean certain, boolean elsewhere, String sentence, Throwable cause) {
    static EtcdErrors of(Throwable failure, String url, EtcdAccess access) {
        if (failure instanceof TimeoutException) {
            return late(failure, url, access);
        }
        Status status = Status.fromThrowable(failure);
        String message = status.getDescription() == null ? "" : status.getDescription();
        return switch (status.getCode()) {
            case DEADLINE_EXCEEDED -> late(failure, url, access);
            case UNAVAILABLE -> unavailable(failure, message, url, access);
            case UNAUTHENTICATED, INVALID_ARGUMENT, FAILED_PRECONDITION, PERMISSION_DENIED ->
                refused(failure, deepest(failure, message), url, access);
            case RESOURCE_EXHAUSTED ->
                message.contains("space exceeded")
                        ? never(
                                failure,
                                false,
                                "etcd is full (its quota is reached) and takes no writes: compact and defragment it, or raise --quota-backend-bytes, then 'etcdctl alarm disarm'")
                        : never(failure, false, "etcd at " + url + " is overloaded: " + message);
            case OUT_OF_RANGE -> never(failure, false, "etcd no longer has the requested revision: " + message);
            case NOT_FOUND ->
                message.contains("lease not found")
                        ? never(failure, false, "the lease of this node is gone from etcd: it was not kept in time")
                        : never(failure, true, unknownHost(url));
            default -> unknown(failure, status.getCode(), deepest(failure, message), url, access);
        };
    }

    /** For some errors of etcd the client keeps the message, but not the status code. */
    private static EtcdErrors unknown(
            Throwable failure, Status.Code code, String message, String url, EtcdAccess access) {
        if (isRefusal(message)) {
            return refused(failure, message, url, access);
        }
        String words = message.isBlank() ? failure.getClass().getSimpleName() : message;
        return new EtcdErrors(false, true, "etcd at " + url + " failed (" + code + "): " + words, failure);
    }

    private static boolean isRefusal(String message) {
        return message.contains("invalid user ID or password")
                || message.contains("user name is empty")
                || message.contains("permission denied")
                || message.contains("invalid auth token");
    }

    private static EtcdErrors late(Throwable failure, String url, EtcdAccess access) {
        return new EtcdErrors(
                false,
                true,
                "etcd at " + url + " did not answer within " + access.timeout().toMillis()
                        + " ms: it is cut off, overloaded, or most of its members are down",
                failure);
    }

    private static EtcdErrors unavailable(Throwable failure, String message, String url, EtcdAccess access) {
        if (message.contains("no leader")) {
            return never(
                    failure,
                    true,
                    "etcd at " + url
                            + " has no leader: most of its members are down or cut off. Bring them back; 'etcdctl endpoint status --cluster' shows which");
        }
        if (message.contains("request timed out") || message.contains("leader changed")) {
            return new EtcdErrors(
                    false, true, "etcd at " + url + " is without a leader at present: " + message, failure);
        }
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof UnresolvedAddressException || cause instanceof UnknownHostException) {
                return never(failure, true, unknownHost(url));
            }
            if (cause instanceof SSLHandshakeException || cause instanceof GeneralSecurityException) {
                return never(failure, true, tls(cause, url, access));
            }
            if (cause instanceof SSLException) {
                // The connection may already have carried the request.
                return new EtcdErrors(false, true, tls(cause, url, access), failure);
            }
            if (cause instanceof ConnectException) {
                return never(
                        failure,
                        true,
                        "nothing answers at " + url
                                + ". Start etcd there, or give the address of its clients' listener: --store etcd:URL,URL,URL");
            }
        }
        if (message.contains("TLS negotiation")) {
            return never(
                    failure,
                    true,
                    "etcd at " + url
                            + " does not speak TLS, or ended while it did: without TLS its address begins with http://");
        }
        String wrongScheme = url.startsWith("https:") ? "" : ". If it speaks TLS, its address begins with https://";
        return new EtcdErrors(
                false,
                true,
                "the connection to etcd at " + url + " broke" + why(failure, message) + wrongScheme,
                failure);
    }

    private static String why(Throwable failure, String message) {
        String deepest = deepest(failure, message);
        return deepest.isBlank() ? "" : " (" + deepest + ")";
    }

    private static String unknownHost(String url) {
        return "the host of " + url + " is not known: correct it in --store etcd:URL, or in /etc/hosts";
    }

    private static String tls(Throwable cause, String url, EtcdAccess access) {
        String message = deepest(cause, "").toLowerCase(Locale.ROOT);
        if (message.contains("unable to find valid certification path") || message.contains("trust")) {
            return "the certificate of etcd at " + url + " is not signed by "
                    + access.ca().map(ca -> ca + ", which store.etcd.ca names").orElse("any CA this system trusts")
                    + ". Give the certificate of its signer as store.etcd.ca";
        }
        if (message.contains("subject alternative") || message.contains("no name matching")) {
            return "the certificate of etcd at " + url
                    + " is for another name. Use a name or address that is in the certificate: "
                    + deepest(cause, "");
        }
        if (message.contains("bad_certificate")
                || message.contains("certificate_required")
                || message.contains("unknown_ca")) {
            return "etcd at " + url
                    + (access.identity().isPresent()
                            ? " does not accept the certificate "
                                    + access.identity().get().cert()
                            : " asks for a certificate: give store.etcd.cert and store.etcd.key");
        }
        if (message.contains("decrypt_error") && access.identity().isPresent()) {
            return "etcd at " + url + " cannot verify what this node signs (decrypt_error): the key "
                    + access.identity().get().key() + " is not the one of the certificate "
                    + access.identity().get().cert() + ". Give store.etcd.cert and store.etcd.key of one pair";
        }
        if (message.contains("not an ssl/tls record") || message.contains("plaintext")) {
            return "etcd at " + url + " does not speak TLS: its address begins with http://";
        }
        return "no TLS with etcd at " + url + ": " + deepest(cause, "");
    }

    private static EtcdErrors refused(Throwable failure, String message, String url, EtcdAccess access) {
        if (message.contains("invalid user ID or password")) {
            return never(
                    failure,
                    false,
                    "etcd at " + url + " does not know the user "
                            + access.login().map(EtcdAccess.Login::user).orElse("")
                            + " with this password: correct store.etcd.user or the file store.etcd.password-file");
        }
        if (message.contains("user name is empty")) {
            return never(
                    failure,
                    false,
                    "etcd at " + url + " requires authentication: give store.etcd.user and store.etcd.password-file");
        }
        if (message.contains("authentication is not enabled")) {
            return never(
                    failure,
                    false,
                    "etcd at " + url
                            + " does not use authentication: leave store.etcd.user out, or run 'etcdctl auth enable'");
        }
        if (message.contains("permission denied")) {
            return never(
                    failure,
                    false,
                    "etcd at " + url + " does not let the user "
                            + access.login().map(EtcdAccess.Login::user).orElse("")
                            + " read and write keys that begin with " + access.prefix()
                            + ": grant it a role that may, as docs/cluster.md shows");
        }
        // The client renews an expired token and repeats the request.
        return never(failure, false, "etcd at " + url + " refused the request: " + message);
    }

    private static EtcdErrors never(Throwable failure, boolean elsewhere, String sentence) {
        return new EtcdErrors(true, elsewhere, sentence, failure);
    }

    /** The message of the innermost cause: the outer ones only say that something went wrong. */
    private static String deepest(Throwable failure, String otherwise) {
        String found = otherwise;
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            String message = cause.getMessage();
            found = message == null || message.isBlank()
                    ? found
                    : message.lines().findFirst().orElse(found);
        }
        return found;
    }

    /** Whether no connection was established, so that the client backs off. */
    boolean unconnected() {
        return certain
                && Stream.iterate(cause, Objects::nonNull, Throwable::getCause).anyMatch(IOException.class::isInstance);
    }

    /** Whether a response exceeded the size limit. */
    static boolean isTooMuch(Throwable failure) {
        return Stream.iterate(failure, Objects::nonNull, Throwable::getCause)
                .anyMatch(cause -> String.valueOf(cause.getMessage()).contains("exceeds maximum size"));
    }

    /** The status code of etcd or the connection. */
    static Status.Code codeOf(StoreException problem) {
        return Status.fromThrowable(problem).getCode();
    }

    StoreException whileWriting() {
        return new StoreException(certain ? Kind.REJECTED : Kind.UNCERTAIN, sentence, cause);
    }

    /** A read certainly wrote nothing. */
    StoreException whileReading() {
        return new StoreException(Kind.REJECTED, sentence, cause);
    }
}
