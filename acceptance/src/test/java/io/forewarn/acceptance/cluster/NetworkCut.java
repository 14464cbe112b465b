package io.forewarn.acceptance.cluster;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Packets that are lost until this is closed, and counted. Who sent one is told by the group its process runs in; who is to
 * receive one by whose connection it belongs to. Only in a network namespace of one's own: {@code bench/faults cluster} makes one.
 */
final class NetworkCut implements AutoCloseable {
    private static final String MARK = "forewarn.own-network";
    private static final String TABLE = "inet forewarn_faults";
    private static final int NODES = 47_100;
    private static final int MEMBERS = 47_200;
    private static final Pattern LOST = Pattern.compile("counter packets (\\d+)");

    private NetworkCut() {}

    static boolean possible() {
        return Boolean.getBoolean(MARK);
    }

    /** Before any node starts: connections are marked when they are made. */
    static void prepare() throws IOException {
        if (!possible()) {
            return;
        }
        nft("add table " + TABLE);
        nft("delete table " + TABLE);
        nft("add table " + TABLE);
        nft("add chain " + TABLE + " marks { type filter hook output priority -10; }");
        nft("add chain " + TABLE + " sent { type filter hook output priority 0; }");
        nft("add chain " + TABLE + " heard { type filter hook input priority 0; }");
        for (int node = 0; node < Cluster.NODES; node++) {
            // The group is known of what a process sends only, so replies are known by their connection.
            nft("add rule " + TABLE + " marks meta skgid " + (NODES + node) + " ct direction original ct mark set "
                    + (NODES + node));
        }
    }

    /**
     * What a node is started through, so that its packets can be told from others'. It gets a home of its own: it would take the
     * tokens there for abandoned, because it does not reach their servers from here.
     */
    static List<String> node(int number, Path home) {
        List<String> wrapper = new ArrayList<>(group(NODES + number));
        if (possible()) {
            wrapper.addAll(List.of("env", "HOME=" + home));
        }
        return wrapper;
    }

    /** The same for a member of etcd. */
    static List<String> member(int number) {
        return group(MEMBERS + number);
    }

    private static List<String> group(int id) {
        return possible() ? List.of("setpriv", "--regid", Integer.toString(id), "--clear-groups") : List.of();
    }

    /** What the node sends to etcd is lost. */
    static NetworkCut toEtcd(Cluster cluster, int node) throws IOException {
        return lose("sent", "meta skgid " + (NODES + node) + " tcp dport " + clients(cluster));
    }

    /** What etcd sends to the node is lost. */
    static NetworkCut fromEtcd(Cluster cluster, int node) throws IOException {
        return lose("heard", "ct mark " + (NODES + node) + " tcp sport " + clients(cluster));
    }

    /** All the node sends is lost. */
    static NetworkCut all(int node) throws IOException {
        return lose("sent", "meta skgid " + (NODES + node));
    }

    /** What these nodes send to the control of others is lost; callers reach all of them. */
    static NetworkCut toNodes(Cluster cluster, Collection<Integer> from) throws IOException {
        List<Integer> ports = cluster.nodes().stream()
                .map(node -> Integer.parseInt(node.control().replaceAll(".*:", "")))
                .toList();
        return lose(
                "sent",
                "meta skgid " + set(from.stream().map(node -> NODES + node).toList()) + " tcp dport " + set(ports));
    }

    /** What a member of etcd sends to the others is lost. */
    static NetworkCut toMembers(Cluster cluster, int member) throws IOException {
        String peers = set(cluster.etcd().peerPorts());
        String sent = "meta skgid " + (MEMBERS + member) + " tcp ";
        NetworkCut networkCut = lose("sent", sent + "dport " + peers);
        lose("sent", sent + "sport " + peers);
        return networkCut;
    }

    private static String clients(Cluster cluster) {
        return set(cluster.etcd().clientPorts());
    }

    private static String set(Collection<Integer> numbers) {
        return numbers.stream().map(String::valueOf).collect(Collectors.joining(", ", "{ ", " }"));
    }

    private static NetworkCut lose(String chain, String what) throws IOException {
        nft("add rule " + TABLE + " " + chain + " " + what + " counter drop");
        return new NetworkCut();
    }

    /** How many packets were lost so far. */
    long lost() throws IOException {
        Matcher counter = LOST.matcher(nft("list table " + TABLE));
        long lost = 0;
        while (counter.find()) {
            lost += Long.parseLong(counter.group(1));
        }
        return lost;
    }

    private static String nft(String command) throws IOException {
        try {
            Process nft =
                    new ProcessBuilder("nft", command).redirectErrorStream(true).start();
            String said = new String(nft.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (nft.waitFor() != 0) {
                throw new IOException("nft " + command + ": " + said);
            }
            return said;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(e);
        }
    }

    /** All that was cut is whole again. */
    @Override
    public void close() throws IOException {
        nft("flush chain " + TABLE + " sent");
        nft("flush chain " + TABLE + " heard");
    }
}
