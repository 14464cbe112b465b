package io.forewarn.acceptance.cluster;

import io.forewarn.acceptance.faults.Server;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** One fault as it strikes: whom, for how long, what proves that it did, and how long nobody wrote because of it. */
final class FaultInjection {
    /** What was to go wrong did not: the round shows nothing. */
    static final class Missed extends Exception {
        private static final long serialVersionUID = 1;

        Missed(String why) {
            super(why);
        }
    }

    private static final int TRIES = 5;
    private static final Duration LEASE = Cluster.LEASE;

    private final Cluster cluster;
    private final Random random;
    private final List<String> proofs = new ArrayList<>();
    private final List<WriterVacancy> vacancies = new ArrayList<>();
    private long stopped;

    FaultInjection(Cluster cluster, Random random) {
        this.cluster = cluster;
        this.random = random;
    }

    Cluster cluster() {
        return cluster;
    }

    boolean perhaps() {
        return random.nextBoolean();
    }

    int anyOf(int count) {
        return random.nextInt(count);
    }

    void pause(int least, int most) {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(least + random.nextInt(most - least)));
    }

    /** Shorter than a lease, about as long, or so long that another must have taken over. */
    void pauseAroundALease() {
        int lease = (int) LEASE.toMillis();
        switch (random.nextInt(4)) {
            case 0 -> pause(300, lease);
            case 1 -> pause(lease, 2 * lease);
            default -> pause(2 * lease, 3 * lease);
        }
    }

    void prove(boolean struck, String what) throws Missed {
        if (!struck) {
            throw new Missed("not so: " + what);
        }
        proofs.add(what);
    }

    List<String> proofs() {
        return proofs;
    }

    /** The writer that was stopped is lost, until {@link #back}. */
    void lost(int writer, String why) {
        vacancies.add(new WriterVacancy(cluster, writer, why, stopped));
    }

    /** This node is lost from now until {@link #back}. */
    void lostIfWriter(int node, String why) {
        if (cluster.writes(node)) {
            stopped = System.nanoTime();
            lost(node, why);
        }
    }

    /** Whoever was lost may write again, if nobody else does. */
    void back() {
        vacancies.forEach(WriterVacancy::back);
    }

    /** To be called once, when all is well: waits until it is known who wrote. */
    List<WriterVacancy> vacancies() {
        vacancies.forEach(WriterVacancy::end);
        return vacancies;
    }

    /** Stops the node that writes, and returns it: stopped it can change nothing any more, so it was the writer at that moment. */
    int stopWriter() throws IOException, Missed {
        for (int tries = 0; tries < TRIES; tries++) {
            int writer = cluster.awaitWriter();
            Server node = cluster.node(writer);
            stopped = System.nanoTime();
            node.signal("STOP");
            awaitStopped(node.pid());
            if (cluster.isWriterInEtcd(writer)) {
                proofs.add("node " + writer + " was the writer and was stopped");
                return writer;
            }
            node.signal("CONT");
        }
        throw new Missed("the writer was another each time it was to be stopped");
    }

    static void awaitStopped(long pid) throws IOException {
        Server.await("process " + pid + " is stopped", () -> isStopped(pid));
    }

    static boolean isStopped(long pid) {
        try {
            String stat = Files.readString(Path.of("/proc/" + pid + "/stat"));
            return stat.charAt(stat.lastIndexOf(')') + 2) == 'T';
        } catch (IOException gone) {
            return false;
        }
    }

    static boolean isGone(long pid) {
        return ProcessHandle.of(pid).map(process -> !process.isAlive()).orElse(true);
    }
}
