package io.forewarn.cli;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URL;
import java.security.cert.CertificateException;
import java.util.Optional;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;

/** Explains why the connection to a server failed: TLS expected or unexpected, or an untrusted certificate. */
final class HandshakeErrors {
    private static final int PATIENCE_MILLIS = 2_000;

    private HandshakeErrors() {}

    static Optional<ServerUnreachableException> explain(String base, URL url, int port, IOException broken) {
        if (url.getProtocol().equals("http")) {
            return speaksTls(url.getHost(), port)
                    ? Optional.of(ServerUnreachableException.like(
                            base, "it speaks TLS", "https" + base.substring("http".length()) + " would be right"))
                    : Optional.empty();
        }
        if (!(broken instanceof SSLException)) {
            return Optional.empty();
        }
        return Optional.of(untrusted(base, broken));
    }

    private static ServerUnreachableException untrusted(String base, IOException broken) {
        String message = String.valueOf(broken.getMessage());
        if (message.contains("Unsupported or unrecognized SSL message")) {
            return ServerUnreachableException.like(
                    base, "it does not speak TLS", "http" + base.substring("https".length()) + " would be right");
        }
        if (isName(broken)) {
            return ServerUnreachableException.like(
                    base,
                    "its certificate is for another name (" + message + ")",
                    "use the name in its certificate, with FOREWARN_URL or --url");
        }
        return ServerUnreachableException.like(
                base,
                "its certificate is not trusted",
                "give the certificate of the authority that signed it, or the certificate itself: --ca FILE or FOREWARN_CA=FILE");
    }

    private static boolean isName(Throwable broken) {
        return broken.getCause() instanceof CertificateException cause
                && String.valueOf(cause.getMessage()).matches("No (subject alternative|name matching).*");
    }

    /** Tries a handshake: a server that presents a certificate, trusted or not, speaks TLS. */
    private static boolean speaksTls(String host, int port) {
        try (Socket plain = new Socket()) {
            plain.connect(new InetSocketAddress(host, port), PATIENCE_MILLIS);
            plain.setSoTimeout(PATIENCE_MILLIS);
            SSLSocketFactory factory = (SSLSocketFactory) SSLSocketFactory.getDefault();
            try (SSLSocket secure = (SSLSocket) factory.createSocket(plain, host, port, true)) {
                secure.startHandshake();
                return true;
            }
        } catch (SSLException refused) {
            return refused.getCause() instanceof CertificateException;
        } catch (IOException other) {
            return false;
        }
    }
}
