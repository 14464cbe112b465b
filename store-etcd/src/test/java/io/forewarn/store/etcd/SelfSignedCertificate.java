package io.forewarn.store.etcd;

import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.Key;
import java.security.KeyStore;
import java.util.Base64;
import java.util.List;

/** A certificate that signs itself, as PEM files. */
record SelfSignedCertificate(Path chain, Path key) {
    private static final String PASSWORD = "changeit";

    /** @param name for whom, as {@code ip:127.0.0.1} or {@code dns:etcd.example} */
    static SelfSignedCertificate make(Path folder, String file, String name) throws Exception {
        Path store = folder.resolve(file + ".p12");
        List<String> keytool = List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias=own",
                "-keyalg=EC",
                "-dname=CN=" + file,
                "-ext=SAN=" + name,
                "-validity=30",
                "-storetype=PKCS12",
                "-keystore=" + store,
                "-storepass=" + PASSWORD);
        List<String> words = keytool.stream()
                .flatMap(word -> List.of(word.split("=", 2)).stream())
                .toList();
        Process process = new ProcessBuilder(words).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes());
        if (process.waitFor() != 0) {
            throw new AssertionError(said);
        }
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(store)) {
            keys.load(in, PASSWORD.toCharArray());
        }
        Key key = keys.getKey("own", PASSWORD.toCharArray());
        return new SelfSignedCertificate(
                pem(
                        folder.resolve(file + ".pem"),
                        "CERTIFICATE",
                        keys.getCertificate("own").getEncoded()),
                pem(folder.resolve(file + "-key.pem"), "PRIVATE KEY", key.getEncoded()));
    }

    private static Path pem(Path file, String what, byte[] bytes) throws Exception {
        String text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(bytes);
        return Files.writeString(file, "-----BEGIN " + what + "-----\n" + text + "\n-----END " + what + "-----\n");
    }
}
