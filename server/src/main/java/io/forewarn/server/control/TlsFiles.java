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

/** The control listener's certificate and key: read at the start, and again when the files are others. */
final class TlsFiles {
    private static final List<String> KEY_TYPES = List.of("RSA", "EC", "EdDSA", "DSA");
    private static final Duration SOON = Duration.ofDays(14);

    private final ListenSettings listen;
    private String triedLast = "";
    private volatile X509Certificate shown;
    /** Why the files that are there now could not be used; null if they could. */
    private volatile String notRead;

    TlsFiles(ListenSettings listen) {
        this.listen = listen;
    }

    /**
     * Blocks while it reads.
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
            throw unusable("they hold no certificate with a key");
        } catch (RefusedException told) {
            throw told;
        } catch (Exception failed) {
            // Vert.x throws whatever the JDK's readers do.
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
            // A pipe would keep the reader waiting for ever, and whoever comes after it.
            throw new RefusedException(
                    Problem.BAD_INPUT, setting + " names " + file + ", which is no file but a folder, pipe or device");
        }
        try {
            return Buffer.buffer(Files.readAllBytes(path));
        } catch (IOException unreadable) {
            throw new RefusedException(
                    Problem.BAD_INPUT, setting + " names " + file + ", which cannot be read; correct its path");
        }
    }

    /** A pair that does not fit would be noticed by the first caller only. */
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
            throw unusable("the key is of another certificate");
        }
    }

    RefusedException unusable(String why) {
        return new RefusedException(
                Problem.BAD_INPUT,
                "TLS cannot be had from tls-cert " + listen.tlsCert() + " and tls-key " + listen.tlsKey() + ": " + why
                        + ". Both must be PEM, the key a PRIVATE KEY that fits");
    }

    /** The host names that the certificate shown vouches for; none without TLS. */
    List<String> names() {
        X509Certificate certificate = shown;
        return certificate == null ? List.of() : CertificateNames.of(certificate);
    }

    /** Whether the certificate that is shown has ended. */
    boolean ended(Instant now) {
        return !now.isBefore(shown.getNotAfter().toInstant());
    }

    /** What the log says of the certificate that is shown now. */
    LogLine line(Instant now) {
        Instant ends = shown.getNotAfter().toInstant();
        LogLine line = ended(now) ? LogLine.error("tls-expired") : LogLine.info("tls-read");
        return line.with("certificate", listen.tlsCert()).with("ends", ends);
    }

    /** What a doctor would say. */
    Optional<Finding> finding(HostPort control, Instant now) {
        X509Certificate certificate = shown;
        if (certificate == null) {
            return control.loopback()
                    ? Optional.empty()
                    : Optional.of(new Finding(
                            "tls",
                            "the control API listens on " + control + " without TLS: tokens can be read on the way",
                            "give --tls-cert and --tls-key, or listen on 127.0.0.1 only"));
        }
        String unusable = notRead;
        if (unusable != null) {
            return Optional.of(new Finding(
                    "tls",
                    "the certificate or its key was changed, and the two cannot be used; the ones before are still shown, which end at "
                            + certificate.getNotAfter().toInstant() + ": " + unusable,
                    "put the certificate and the key of one pair there; they are read without a restart"));
        }
        Instant ends = certificate.getNotAfter().toInstant();
        return now.isBefore(ends.minus(SOON))
                ? Optional.empty()
                : Optional.of(new Finding(
                        "tls",
                        "the certificate in " + listen.tlsCert() + (now.isBefore(ends) ? " ends at " : " ended at ")
                                + ends,
                        "put a new one there; it is read without a restart"));
    }
}
