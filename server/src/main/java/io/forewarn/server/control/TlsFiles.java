package io.forewarn.server.control;

import io.forewarn.core.Problem;
import io.forewarn.core.RefusedException;
import io.forewarn.server.log.LogLine;
import io.forewarn.server.settings.ListenSettings;
import io.forewarn.wire.control.FindingsBody.Finding;
import io.forewarn.wire.control.HostPort;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.PemKeyCertOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.X509KeyManager;

/** Loads the certificate and key of the control API at startup, and again when the files change. */
final class TlsFiles {
    private static final List<String> KEY_TYPES = List.of("RSA", "EC", "EdDSA", "DSA");
    private static final Duration SOON = Duration.ofDays(14);

    private final ListenSettings listen;
    private String triedLast = "";
    private volatile X509Certificate shown;
    /** Why the current files cannot be used; null if they can. */
    private volatile String notRead;

    TlsFiles(ListenSettings listen) {
        this.listen = listen;
    }

    /**
     * Blocks.
     *
     * @throws RefusedException if the files are not a certificate and its key
     */
    synchronized PemKeyCertOptions read(Vertx vertx) {
        triedLast = stamp();
        try {
            PemKeyCertOptions pair = readPair(vertx);
            notRead = null;
            return pair;
        } catch (RefusedException told) {
            notRead = told.getMessage();
            throw told;
        }
    }

    private PemKeyCertOptions readPair(Vertx vertx) {
        try {
            PemKeyCertOptions pair = new PemKeyCertOptions()
                    .addCertValue(bytes("tls-cert", listen.tlsCert()))
                    .addKeyValue(bytes("tls-key", listen.tlsKey()));
            X509KeyManager keys =
                    (X509KeyManager) pair.getKeyManagerFactory(vertx).getKeyManagers()[0];
            for (String type : KEY_TYPES) {
                String[] names = keys.getServerAliases(type, null);
                if (names != null) {
                    X509Certificate certificate = keys.getCertificateChain(names[0])[0];
                    mustFit(certificate, keys.getPrivateKey(names[0]));
                    shown = certificate;
                    return pair;
                }
            }
            throw unusable("they contain no certificate with a key");
        } catch (RefusedException told) {
            throw told;
        } catch (Exception failed) {
            // Vert.x passes on all exceptions of the JDK's parsers.
            throw unusable(failed.getMessage());
        }
    }

    /** Whether the files have changed since they were last tried. Blocks. */
    synchronized boolean changed() {
        return !stamp().equals(triedLast);
    }

    private String stamp() {
        return stamp(listen.tlsCert()) + stamp(listen.tlsKey());
    }

    private static String stamp(String file) {
        try {
            Path path = Path.of(file);
            return Files.getLastModifiedTime(path) + "/" + Files.size(path) + " ";
        } catch (IOException gone) {
            return "none ";
        }
    }

    private static Buffer bytes(String setting, String file) {
        Path path = Path.of(file);
        if (Files.exists(path) && !Files.isRegularFile(path)) {
            // Reading a pipe would block forever.
            throw new RefusedException(
                    Problem.BAD_INPUT,
                    setting + " names " + file + ", which is not a file but a directory, pipe or device");
        }
        try {
            return Buffer.buffer(Files.readAllBytes(path));
        } catch (IOException unreadable) {
            throw new RefusedException(
                    Problem.BAD_INPUT, setting + " names " + file + ", which cannot be read; correct its path");
        }
    }

    /** Checks that key and certificate match, which otherwise only the first caller would notice. */
    private void mustFit(X509Certificate certificate, PrivateKey key) throws GeneralSecurityException {
        String algorithm =
                switch (key.getAlgorithm()) {
                    case "RSA" -> "SHA256withRSA";
                    case "EC" -> "SHA256withECDSA";
                    case "DSA" -> "SHA256withDSA";
                    default -> key.getAlgorithm();
                };
        boolean same = certificate.getPublicKey().getAlgorithm().equals(key.getAlgorithm());
        if (same) {
            Signature signing = Signature.getInstance(algorithm);
            signing.initSign(key);
            signing.update(certificate.getEncoded());
            byte[] signed = signing.sign();
            Signature checking = Signature.getInstance(algorithm);
            checking.initVerify(certificate.getPublicKey());
            checking.update(certificate.getEncoded());
            same = checking.verify(signed);
        }
        if (!same) {
            throw unusable("the key belongs to another certificate");
        }
    }

    RefusedException unusable(String why) {
        return new RefusedException(
                Problem.BAD_INPUT,
                "TLS cannot be used with tls-cert " + listen.tlsCert() + " and tls-key " + listen.tlsKey() + ": " + why
                        + ". Both must be PEM, the key the matching PRIVATE KEY");
    }

    /** The host names of the current certificate; none without TLS. */
    List<String> names() {
        X509Certificate certificate = shown;
        return certificate == null ? List.of() : CertificateNames.of(certificate);
    }

    /** Whether the current certificate has expired. */
    boolean ended(Instant now) {
        return !now.isBefore(shown.getNotAfter().toInstant());
    }

    /** The log line about the current certificate. */
    LogLine line(Instant now) {
        Instant ends = shown.getNotAfter().toInstant();
        LogLine line = ended(now) ? LogLine.error("tls-expired") : LogLine.info("tls-read");
        return line.with("certificate", listen.tlsCert()).with("ends", ends);
    }

    /** The problem with the certificate, for {@code doctor}. */
    Optional<Finding> finding(HostPort control, Instant now) {
        X509Certificate certificate = shown;
        if (certificate == null) {
            return control.loopback()
                    ? Optional.empty()
                    : Optional.of(new Finding(
                            "tls",
                            "the control API listens on " + control + " without TLS: tokens are sent in plain text",
                            "use --tls-cert and --tls-key, or listen on 127.0.0.1 only"));
        }
        String unusable = notRead;
        if (unusable != null) {
            return Optional.of(new Finding(
                    "tls",
                    "the certificate or its key was changed, and the two cannot be used; the previous ones are still in use and expire at "
                            + certificate.getNotAfter().toInstant() + ": " + unusable,
                    "install a matching certificate and key; they are loaded without a restart"));
        }
        Instant ends = certificate.getNotAfter().toInstant();
        return now.isBefore(ends.minus(SOON))
                ? Optional.empty()
                : Optional.of(new Finding(
                        "tls",
                        "the certificate in " + listen.tlsCert()
                                + (now.isBefore(ends) ? " expires at " : " expired at ") + ends,
                        "install a new one; it is loaded without a restart"));
    }
}
