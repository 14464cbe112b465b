package io.forewarn.store.etcd;

import static io.forewarn.core.Eventually.eventually;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.forewarn.core.engine.Store.Head;
import io.forewarn.core.engine.StoreException;
import io.forewarn.core.engine.StoreException.Kind;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A failure at startup is reported in one sentence that says how to fix it. */
class EtcdSentencesTest {
    @TempDir
    private Path folder;

    @BeforeAll
    static void needsEtcd() {
        assumeTrue(EtcdCluster.isInstalled(), "etcd is not installed: sudo apt-get install etcd-server");
    }

    private static EtcdAccess access(List<URI> urls, Path ca, SelfSignedCertificate own, EtcdAccess.Login login) {
        return new EtcdAccess(
                urls,
                "t/",
                Optional.ofNullable(ca),
                Optional.ofNullable(own).map(c -> new EtcdAccess.Identity(c.chain(), c.key())),
                Optional.ofNullable(login),
                Duration.ofSeconds(2));
    }

    private static void works(EtcdAccess access) throws StoreException {
        try (EtcdStore store = EtcdStore.open(access)) {
            Head head = store.claim();
            assertEquals(head, store.recover());
        }
    }

    private static boolean opens(EtcdAccess access) {
        try {
            works(access);
            return true;
        } catch (StoreException refused) {
            return false;
        }
    }

    private static StoreException refusal(EtcdAccess access) {
        return assertThrows(StoreException.class, () -> EtcdStore.open(access).close());
    }

    private static boolean isLost(String message) {
        return message.contains("Connection reset") || message.contains("Network closed");
    }

    private static void refused(EtcdAccess access, Kind kind, String... words) {
        StoreException refusal = refusal(access);
        for (int again = 0; again < 20 && isLost(refusal.getMessage()); again++) {
            // Who answers what it does not understand and hangs up may have the answer lost.
            refusal = refusal(access);
        }
        assertEquals(kind, refusal.kind(), refusal.getMessage());
        for (String word : words) {
            assertTrue(refusal.getMessage().contains(word), refusal.getMessage());
        }
        assertFalse(refusal.getMessage().contains("\n"), refusal.getMessage());
        assertFalse(refusal.getMessage().contains("Exception"), refusal.getMessage());
    }

    @Test
    void aWrongAddress() {
        refused(
                EtcdAccess.to(List.of(URI.create("http://127.0.0.1:1")), "t/"),
                Kind.REJECTED,
                "nothing answers at http://127.0.0.1:1",
                "--store etcd:URL");
        refused(
                EtcdAccess.to(List.of(URI.create("http://no-such-host.invalid:2379")), "t/"),
                Kind.REJECTED,
                "the host of http://no-such-host.invalid:2379 is not known");
    }

    @Test
    void oneWrongAddressAmongRightOnesDoesNoHarm() throws Exception {
        try (EtcdCluster etcd = EtcdCluster.start(folder, 1)) {
            works(EtcdAccess.to(
                    List.of(URI.create("http://127.0.0.1:1"), etcd.urls().get(0)), "t/"));
        }
    }

    @Test
    void certificates() throws Exception {
        SelfSignedCertificate server = SelfSignedCertificate.make(folder, "server", "ip:127.0.0.1");
        SelfSignedCertificate stranger = SelfSignedCertificate.make(folder, "stranger", "ip:127.0.0.1");
        SelfSignedCertificate own = SelfSignedCertificate.make(folder, "own", "dns:node");
        List<String> tls = List.of(
                "--cert-file=" + server.chain(),
                "--key-file=" + server.key(),
                "--client-cert-auth",
                "--trusted-ca-file=" + own.chain());
        try (EtcdCluster etcd = EtcdCluster.start(folder, 1, "https", tls)) {
            works(access(etcd.urls(), server.chain(), own, null));
            refused(
                    access(etcd.urls(), stranger.chain(), own, null),
                    Kind.REJECTED,
                    "is not signed by " + stranger.chain(),
                    "store.etcd.ca");
            refused(
                    access(etcd.urls(), null, own, null),
                    Kind.REJECTED,
                    "is not signed by any CA this system trusts",
                    "store.etcd.ca");
            refused(
                    access(etcd.urls(), server.chain(), null, null),
                    Kind.REJECTED,
                    "asks for a certificate: give store.etcd.cert and store.etcd.key");
            refused(
                    access(etcd.urls(), server.chain(), stranger, null),
                    Kind.REJECTED,
                    "does not accept the certificate " + stranger.chain());
            refused(
                    access(etcd.urls(), server.chain(), new SelfSignedCertificate(own.chain(), stranger.key()), null),
                    Kind.REJECTED,
                    "the key " + stranger.key() + " is not the one of the certificate " + own.chain());
            refused(
                    access(etcd.urls(), folder.resolve("missing.pem"), own, null),
                    Kind.REJECTED,
                    "missing.pem",
                    "must name PEM files");
            List<URI> plain = List.of(URI.create(etcd.url(0).replace("https", "http")));
            refused(access(plain, null, null, null), Kind.REJECTED, "https://");
        }
    }

    @Test
    void aCertificateForAnotherName() throws Exception {
        SelfSignedCertificate server = SelfSignedCertificate.make(folder, "server", "dns:etcd.example");
        List<String> tls = List.of("--cert-file=" + server.chain(), "--key-file=" + server.key());
        try (EtcdCluster etcd = EtcdCluster.start(folder, 1, "https", tls)) {
            refused(access(etcd.urls(), server.chain(), null, null), Kind.REJECTED, "is for another name");
        }
    }

    @Test
    void passwordsAndRoles() throws Exception {
        try (EtcdCluster etcd = EtcdCluster.start(folder, 1)) {
            List<URI> secured = List.of(URI.create(etcd.url(0).replace("http:", "https:")));
            refused(access(secured, null, null, null), Kind.REJECTED, "does not speak TLS", "http://");
            refused(
                    access(etcd.urls(), null, null, new EtcdAccess.Login("forewarn", "secret")),
                    Kind.REJECTED,
                    "does not use authentication");
            etcd.etcdctl("user", "add", "root:root");
            etcd.etcdctl("user", "add", "forewarn:secret");
            etcd.etcdctl("user", "add", "other:secret");
            etcd.etcdctl("role", "add", "forewarn");
            etcd.etcdctl("role", "grant-permission", "forewarn", "readwrite", "--prefix=true", "t/");
            etcd.etcdctl("user", "grant-role", "forewarn", "forewarn");
            etcd.etcdctl("auth", "enable");
            works(access(etcd.urls(), null, null, new EtcdAccess.Login("forewarn", "secret")));
            refused(
                    access(etcd.urls(), null, null, new EtcdAccess.Login("forewarn", "wrong")),
                    Kind.REJECTED,
                    "does not know the user forewarn with this password",
                    "store.etcd.password-file");
            refused(access(etcd.urls(), null, null, null), Kind.REJECTED, "requires authentication", "store.etcd.user");
            refused(
                    access(etcd.urls(), null, null, new EtcdAccess.Login("other", "secret")),
                    Kind.REJECTED,
                    "does not let the user other read and write keys that begin with t/");
        }
    }

    @Test
    void mostMembersAreDown() throws Exception {
        try (EtcdCluster etcd = EtcdCluster.start(folder, 3)) {
            works(access(etcd.urls(), null, null, null));
            etcd.kill(0);
            // If that was the leader, nothing answers until the others have elected another.
            eventually(() -> opens(access(etcd.urls(), null, null, null)));
            etcd.kill(1);
            refused(
                    access(List.of(etcd.urls().get(2)), null, null, null),
                    Kind.REJECTED,
                    "most of its members are down");
        }
    }

    @Test
    void aStoreOfANewerReleaseOrOfSomethingElse() throws Exception {
        try (EtcdCluster etcd = EtcdCluster.start(folder, 1)) {
            etcd.etcdctl("put", "t/head", "layout=2 writer=1 commit=1");
            refused(access(etcd.urls(), null, null, null), Kind.UNREADABLE, "layout 2", "newer release");
            etcd.etcdctl("put", "t/head", "hello");
            refused(access(etcd.urls(), null, null, null), Kind.UNREADABLE, "'hello'", "store.etcd.prefix");
        }
    }
}
