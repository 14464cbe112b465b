package io.forewarn.store.etcd;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.forewarn.core.engine.CommitFeed;
import io.forewarn.core.engine.CommitFeedContract;
import io.forewarn.core.engine.Store;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

class EtcdFeedTest extends CommitFeedContract {
    @TempDir
    private static Path folder;

    private static EtcdCluster etcd;
    private static int tests;

    private final String prefix = "feed-" + ++tests + "/";

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

    @Override
    protected CommitFeed follow() {
        return new EtcdFeed(EtcdAccess.to(etcd.urls(), prefix), () -> {});
    }

    @Override
    protected void beat(CommitFeed.Beat beat) throws Exception {
        etcd.etcdctl("put", prefix + "time", "writer=" + beat.epoch() + " at=" + beat.time());
    }

    @Override
    protected void cut() throws Exception {
        etcd.kill(0);
    }

    @Override
    protected void mend() throws Exception {
        etcd.begin(0);
        etcd.awaitPort(0);
        while (true) {
            try {
                etcd.etcdctl("get", "anything");
                return;
            } catch (java.io.IOException notYet) {
                Thread.sleep(50);
            }
        }
    }

    @Override
    protected void forget() throws Exception {
        Matcher revision = Pattern.compile("\"revision\":(\\d+)").matcher(etcd.etcdctl("get", "x", "-w", "json"));
        if (!revision.find()) {
            throw new AssertionError("no revision");
        }
        etcd.etcdctl("compact", revision.group(1));
    }
}
