package io.forewarn.acceptance.cluster;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;

/**
 * Packets that are lost until this is closed. Nodes are told apart by the group their process runs in. Only in a network
 * namespace of one's own: {@code bench/faults cluster} makes one.
 */
final class Cut implements AutoCloseable {
    private static final String MARK = "forewarn.own-network";
    private static final String TABLE = "forewarn_faults";
    private static final int FIRST_GROUP = 47_100;

    private Cut() {}

    static boolean possible() {
        return Boolean.getBoolean(MARK);
    }

    /** What a node is started through, so that its packets can be told from others'. */
    static List<String> wrapper(int node) {
        return possible()
                ? List.of("setpriv", "--regid", Integer.toString(FIRST_GROUP + node), "--clear-groups")
                : List.of();
    }

    /** What the node sends to etcd is lost. */
    static Cut toEtcd(Cluster cluster, int node) throws IOException {
        return rules("output", "meta skgid " + (FIRST_GROUP + node) + " tcp dport " + ports(cluster) + " drop");
    }

    /** What etcd sends to the node is lost. */
    static Cut fromEtcd(Cluster cluster, int node) throws IOException {
        return rules("input", "meta skgid " + (FIRST_GROUP + node) + " tcp sport " + ports(cluster) + " drop");
    }

    /** All the node sends is lost. */
    static Cut all(int node) throws IOException {
        return rules("output", "meta skgid " + (FIRST_GROUP + node) + " drop");
    }

    private static String ports(Cluster cluster) {
        return cluster.etcd().clientPorts().stream().map(String::valueOf).collect(Collectors.joining(", ", "{ ", " }"));
    }

    private static Cut rules(String hook, String rule) throws IOException {
        nft("add table inet " + TABLE);
        nft("add chain inet " + TABLE + " cut { type filter hook " + hook + " priority 0; }");
        nft("add rule inet " + TABLE + " cut " + rule);
        return new Cut();
    }

    private static void nft(String command) throws IOException {
        try {
            Process nft =
                    new ProcessBuilder("nft", command).redirectErrorStream(true).start();
            String said = new String(nft.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (nft.waitFor() != 0) {
                throw new IOException("nft " + command + ": " + said);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    void last(int millis) {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(millis));
    }

    @Override
    public void close() throws IOException {
        nft("delete table inet " + TABLE);
    }
}
