package io.forewarn.acceptance.deploy;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.forewarn.store.etcd.EtcdCluster;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * On which store a scenario runs: a file of its own, or, where the build says {@code -Dforewarn.test.store=etcd}, keys of its own
 * in one etcd of three members that all scenarios of this JVM share.
 */
public final class StoreChoice {
    /** About the store that is a file, or about what no store has a part in, or in a network without etcd: it does not run again on etcd. */
    public static final String ONCE = "once";

    private static final String CHOICE = "forewarn.test.store";
    private static final int MEMBERS = 3;

    private static EtcdCluster etcd;

    private StoreChoice() {}

    public static boolean isEtcd() {
        return System.getProperty(CHOICE, "sqlite").equals("etcd");
    }

    /** What {@code serve} is to be given; the same for the same folder. */
    public static List<String> flags(Path folder) {
        return isEtcd()
                ? List.of(
                        "--store",
                        etcd().location(),
                        "--set",
                        "store.etcd.prefix=" + folder.getFileName() + "/",
                        "--set",
                        "cluster.lease=2s")
                : List.of("--store", "sqlite:" + folder);
    }

    private static synchronized EtcdCluster etcd() {
        assumeTrue(EtcdCluster.isInstalled(), "etcd is not installed: sudo apt-get install etcd-server");
        if (etcd == null) {
            try {
                Path folder = Files.createTempDirectory("forewarn-etcd");
                etcd = EtcdCluster.start(folder, MEMBERS);
                Runtime.getRuntime().addShutdownHook(new Thread(() -> end(folder)));
            } catch (Exception e) {
                throw new AssertionError("etcd does not start", e);
            }
        }
        return etcd;
    }

    private static void end(Path folder) {
        etcd.close();
        try (Stream<Path> files = Files.walk(folder)) {
            files.sorted(Comparator.reverseOrder())
                    .forEach(file -> file.toFile().delete());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
