package io.forewarn.server.cluster;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.forewarn.core.engine.Feed.Beat;
import io.forewarn.server.log.Log;
import io.forewarn.server.log.LogFormat;
import io.forewarn.store.etcd.Access;
import io.forewarn.store.etcd.EtcdCluster;
import io.forewarn.store.etcd.Membership;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TenureTest {
    private static final Duration LEASE = Duration.ofSeconds(5);

    @TempDir
    private Path folder;

    /** It could not tell in time that etcd had kept its lease. Nobody else can stand then, so it must. */
    @Test
    void aNodeThatLostWhileEtcdStillTakesItForTheWriterStandsAgain() throws Exception {
        assumeTrue(EtcdCluster.isInstalled(), "etcd is not installed: sudo apt-get install etcd-server");
        AtomicLong ahead = new AtomicLong();
        LongSupplier elapsed = () -> System.nanoTime() + ahead.get();
        List<String> log = new CopyOnWriteArrayList<>();
        try (EtcdCluster etcd = EtcdCluster.start(folder, 1);
                Tenure tenure = new Tenure(
                        new Membership(Access.to(etcd.urls(), "test/"), LEASE),
                        LEASE,
                        new TimeLine(elapsed, Instant::now),
                        elapsed,
                        Log.to(log::add, LogFormat.LOGFMT),
                        () -> {})) {
            tenure.join("127.0.0.1:1", "");
            tenure.mayStand();
            await(tenure::elected);
            assertFalse(tenure.mayBeginWork());
            tenure.takeOffice();
            await(tenure::mayBeginWork);
            await(() -> {
                ahead.addAndGet(LEASE.toNanos());
                return log.stream().anyMatch(line -> line.contains("its lease ran out"));
            });
            await(tenure::elected);
            assertFalse(tenure.mayBeginWork(), "what was begun before is not let go of yet");
        }
    }

    @Test
    void aNodeWhoseClockIsOffSaysSoAlsoWhileAnotherWrites() throws Exception {
        assumeTrue(EtcdCluster.isInstalled(), "etcd is not installed: sudo apt-get install etcd-server");
        AtomicLong off = new AtomicLong();
        TimeLine time = new TimeLine(System::nanoTime, () -> Instant.now().plusSeconds(off.get()));
        List<String> log = new CopyOnWriteArrayList<>();
        try (EtcdCluster etcd = EtcdCluster.start(folder, 1);
                Tenure tenure = new Tenure(
                        new Membership(Access.to(etcd.urls(), "test/"), LEASE),
                        LEASE,
                        time,
                        System::nanoTime,
                        Log.to(log::add, LogFormat.LOGFMT),
                        () -> {})) {
            tenure.join("127.0.0.1:1", "");
            time.heard(new Beat(Instant.now(), 1), System.nanoTime());
            off.set(-3600);
            await(() -> log.stream().anyMatch(line -> line.contains("what=clock-off by=3")));
            off.set(7200);
            await(() -> log.stream().anyMatch(line -> line.contains("what=clock-off by=7")));
        }
    }

    private static void await(BooleanSupplier hope) {
        for (int i = 0; i < 3000 && !hope.getAsBoolean(); i++) {
            LockSupport.parkNanos(10_000_000);
        }
        assertTrue(hope.getAsBoolean());
    }
}
