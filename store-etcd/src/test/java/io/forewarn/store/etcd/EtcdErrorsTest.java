package io.forewarn.store.etcd;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URI;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the client says without a code is said all the same. */
class EtcdErrorsTest {
    private static final String URL = "http://127.0.0.1:2379";

    private static void says(Throwable failure, String words) {
        String said = EtcdErrors.of(failure, URL, EtcdAccess.to(List.of(URI.create(URL)), "t/"))
                .sentence();
        assertTrue(said.endsWith(words), said);
    }

    @Test
    void noSentenceEndsInNothing() {
        says(new IllegalStateException("etcdserver: too old"), "failed (UNKNOWN): etcdserver: too old");
        says(new IllegalStateException(), "failed (UNKNOWN): IllegalStateException");
        says(
                new IllegalStateException(new IllegalArgumentException("etcdserver: user name is empty")),
                "requires authentication: give store.etcd.user and store.etcd.password-file");
    }
}
