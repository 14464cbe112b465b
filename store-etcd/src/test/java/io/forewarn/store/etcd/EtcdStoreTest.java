package io.forewarn.store.etcd;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.forewarn.core.engine.Store;
import io.forewarn.core.engine.StoreContract;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

class EtcdStoreTest extends StoreContract {
    @TempDir
    private static Path folder;

    private static EtcdCluster etcd;
    private static int tests;

    private final String prefix = "test-" + ++tests + "/";

    @BeforeAll
    static void startEtcd() throws Exception {
        assumeTrue(EtcdCluster.isInstalled(), "etcd is not installed: sudo apt-get install etcd-server");
        etcd = EtcdCluster.start(folder, 1);
    }

    @AfterAll
    static void endEtcd() {
        if (etcd != null) {
            etcd.close();
        }
    }

    @Override
    protected Store open() throws Exception {
        return EtcdStore.open(EtcdAccess.to(etcd.urls(), prefix));
    }
}
