package io.forewarn.server.boot;

import static io.forewarn.core.Eventually.eventually;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.forewarn.core.Eventually;
import io.forewarn.store.etcd.EtcdAccess;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An etcd that others lay hands on while nodes run: set back to a snapshot, keys deleted, keys added. */
// Takes more than 20 s: etcd is restored from a snapshot, and nodes notice it only with time.
class EtcdTamperedTest {
    private static final Map<String, String> QUICK = Map.of("cluster.lease", "3s");

    @TempDir
    private Path folder;

    private static void await(String what, Eventually.Condition condition) {
        eventually(() -> "it did not come to pass: " + what, condition);
    }

    private static int status(ServicesOnEtcd services, Service node, String method, String path, String body)
            throws Exception {
        return services.send(ServicesOnEtcd.request(node.control(), method, path, body))
                .statusCode();
    }

    private static void addToken(ServicesOnEtcd services, Service node, String name) throws Exception {
        await("token " + name + " is added", () -> {
            int status = status(services, node, "POST", "/v1/tokens", "{\"name\":\"" + name + "\"}");
            // If etcd did not answer in time, the first try was answered 503 although it was carried out.
            return status == 200 || status == 409;
        });
    }

    private static boolean isReady(ServicesOnEtcd services, Service node) throws Exception {
        return status(services, node, "GET", "/readyz", "") == 200;
    }

    private static String doctor(ServicesOnEtcd services, Service node) throws Exception {
        return services.ask(node.control(), "GET", "/v1/doctor", "", 200);
    }

    private void copy(Path from, Path to) throws Exception {
        try (Stream<Path> all = Files.walk(from)) {
            for (Path path : all.toList()) {
                Files.copy(path, to.resolve(from.relativize(path)));
            }
        }
    }

    private static void delete(Path folder) throws Exception {
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path path : all.sorted((a, b) -> b.compareTo(a)).toList()) {
                Files.delete(path);
            }
        }
    }

    @Test
    void nodesOnAnEtcdThatWasSetBackServeWhatItHoldsAndTellWhatIsLost() throws Exception {
        try (ServicesOnEtcd services = new ServicesOnEtcd(folder);
                Service first = services.start(QUICK);
                Service second = services.start(QUICK)) {
            List<Service> both = List.of(first, second);
            addToken(services, first, "before");
            services.etcd().kill(0);
            copy(folder.resolve("m0"), folder.resolve("snapshot"));
            services.etcd().begin(0);
            for (int i = 0; i < 5; i++) {
                addToken(services, first, "lost-" + i);
            }
            await("the writer has taken them in", () -> services.ask(first.control(), "GET", "/v1/tokens", "", 200)
                    .contains("lost-4"));
            services.etcd().kill(0);
            delete(folder.resolve("m0"));
            Files.move(folder.resolve("snapshot"), folder.resolve("m0"));
            services.etcd().begin(0);
            for (Service node : both) {
                await(
                        "a node serves what etcd holds, and tells of the gap",
                        () -> isReady(services, node)
                                && !services.ask(node.control(), "GET", "/v1/tokens", "", 200)
                                        .contains("lost-")
                                && services.ask(node.control(), "GET", "/v1/audit/verify", "", 200)
                                        .contains("go on without commits"));
            }
            assertTrue(
                    services.log().stream().anyMatch(line -> line.contains("store-set-back")),
                    services.log()::toString);
            addToken(services, second, "after");
            for (Service node : both) {
                await("both see it", () -> {
                    String tokens = services.ask(node.control(), "GET", "/v1/tokens", "", 200);
                    return tokens.contains("before") && tokens.contains("after");
                });
                String proof = services.ask(node.control(), "GET", "/v1/audit/verify", "", 200);
                assertTrue(proof.contains("\"intact\":true"), proof);
            }
        }
    }

    @Test
    void changesToKeysFromOutsideAreReportedByEveryNodeAndRepaired() throws Exception {
        try (ServicesOnEtcd services = new ServicesOnEtcd(folder);
                Service first = services.start(QUICK);
                Service second = services.start(QUICK)) {
            addToken(services, first, "before");
            String head = EtcdAccess.DEFAULT_PREFIX + "head";
            String value =
                    services.etcd().etcdctl("get", "--print-value-only", head).strip();
            services.etcd().etcdctl("del", head);
            for (Service node : List.of(first, second)) {
                await("a missing head makes a node unready", () -> !isReady(services, node));
                await("and is told", () -> doctor(services, node).contains("put it back: etcdctl put " + head));
            }
            services.etcd().etcdctl("put", head, value);
            for (Service node : List.of(first, second)) {
                await("it is ready again", () -> isReady(services, node));
            }
            addToken(services, second, "with-head");

            String foreign = EtcdAccess.DEFAULT_PREFIX + "record/token/foreign";
            services.etcd().etcdctl("put", foreign, "nonsense");
            await("a foreign key is told, with what cures it", () -> doctor(services, second)
                    .contains("etcdctl del '" + foreign + "'"));
            assertFalse(isReady(services, second));
            assertTrue(
                    services.log().stream().anyMatch(line -> line.contains("store-unreadable")),
                    services.log()::toString);
            services.etcd().etcdctl("del", foreign);
            await("the follower is back", () -> isReady(services, second));

            String secret = EtcdAccess.DEFAULT_PREFIX + "secret";
            String known = services.etcd().etcdctl("get", "--print-value-only", secret);
            services.etcd().etcdctl("del", secret);
            await("a node puts the secret back", () -> services.etcd()
                    .etcdctl("get", "--print-value-only", secret)
                    .equals(known));
            services.etcd().etcdctl("put", secret, "another");
            await("a replaced one is told", () -> doctor(services, second).contains(secret + " in etcd was replaced"));
        }
    }
}
