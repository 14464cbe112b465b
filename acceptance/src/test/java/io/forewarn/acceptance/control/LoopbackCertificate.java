package io.forewarn.acceptance.control;

import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.Key;
import java.security.KeyStore;
import java.util.Base64;

/** A certificate for 127.0.0.1 that signs itself, as PEM files. */
record LoopbackCertificate(Path chain, Path key) {
    static LoopbackCertificate make(Path folder) throws Exception {
        Path store = folder.resolve("keys.p12");
        char[] password = "changeit".toCharArray();
        Process keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-alias",
                        "control",
                        "-keyalg",
                        "EC",
                        "-dname",
                        "CN=forewarn",
                        "-ext",
                        "SAN=ip:127.0.0.1",
                        "-validity",
                        "30",
                        "-storetype",
                        "PKCS12",
                        "-keystore",
                        store.toString(),
                        "-storepass",
                        "changeit")
                .redirectErrorStream(true)
                .start();
        String said = new String(keytool.getInputStream().readAllBytes());
        if (keytool.waitFor() != 0) {
            throw new AssertionError(said);
        }
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(store)) {
            keys.load(in, password);
        }
        Key key = keys.getKey("control", password);
        return new LoopbackCertificate(
                pem(
                        folder.resolve("cert.pem"),
                        "CERTIFICATE",
                        keys.getCertificate("control").getEncoded()),
                pem(folder.resolve("key.pem"), "PRIVATE KEY", key.getEncoded()));
    }

    private static Path pem(Path file, String what, byte[] bytes) throws Exception {
        String text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(bytes);
        return Files.writeString(file, "-----BEGIN " + what + "-----\n" + text + "\n-----END " + what + "-----\n");
    }
}
