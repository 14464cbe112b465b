package io.forewarn.cli;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManagerFactory;

/** Loads the CA certificates for servers whose certificate no public authority signed. */
final class TrustedAuthority {
    private TrustedAuthority() {}

    static SSLSocketFactory trusting(String pem) throws IOException {
        try (InputStream in = Files.newInputStream(Path.of(pem))) {
            KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
            trusted.load(null, null);
            int count = 0;
            for (Certificate certificate :
                    CertificateFactory.getInstance("X.509").generateCertificates(in)) {
                trusted.setCertificateEntry("ca" + count++, certificate);
            }
            TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(trusted);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, trust.getTrustManagers(), null);
            return context.getSocketFactory();
        } catch (GeneralSecurityException unusable) {
            throw new CommandRefusedException("the file " + pem
                    + " of --ca or FOREWARN_CA contains no usable certificate: " + unusable.getMessage());
        } catch (NoSuchFileException missing) {
            throw new CommandRefusedException("the file " + pem + " of --ca or FOREWARN_CA does not exist");
        }
    }
}
