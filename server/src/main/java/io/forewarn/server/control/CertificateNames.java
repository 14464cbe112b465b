package io.forewarn.server.control;

import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import javax.naming.InvalidNameException;
import javax.naming.ldap.LdapName;
import javax.naming.ldap.Rdn;

/** Reads the host names of a certificate: its DNS alternative names and its common name. */
final class CertificateNames {
    private static final int DNS = 2;

    private CertificateNames() {}

    static List<String> of(X509Certificate certificate) {
        List<String> names = new ArrayList<>();
        try {
            Collection<List<?>> alternatives = certificate.getSubjectAlternativeNames();
            if (alternatives != null) {
                alternatives.stream()
                        .filter(name -> Integer.valueOf(DNS).equals(name.get(0)))
                        .forEach(name -> names.add(name.get(1).toString()));
            }
            for (Rdn part : new LdapName(certificate.getSubjectX500Principal().getName()).getRdns()) {
                if (part.getType().equalsIgnoreCase("CN")) {
                    names.add(part.getValue().toString());
                }
            }
        } catch (CertificateParsingException | InvalidNameException strange) {
            return names; // Names that cannot be read do not count.
        }
        return names;
    }
}
