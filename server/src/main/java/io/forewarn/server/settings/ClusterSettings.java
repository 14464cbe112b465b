package io.forewarn.server.settings;

import io.forewarn.core.Problem;
import io.forewarn.core.RefusedException;
import io.forewarn.wire.control.HostPort;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Settings of a cluster: several nodes that share a store.
 *
 * @param lease how long the writer counts as alive after its last sign of life; another node takes over within twice that time
 * @param advertise HOST:PORT at which other nodes reach this node's control API; blank for its listen address
 */
public record ClusterSettings(Duration lease, String advertise) {
    /** The name or address that other nodes are given for this one; blank if none is set. */
    public String name() {
        return HostPort.parse(advertise).map(HostPort::host).orElse("");
    }

    public static final String REACHABLE =
            "give each node its own --control HOST:PORT or cluster.advertise HOST:PORT that the other nodes can reach";

    static final ClusterSettings DEFAULTS = new ClusterSettings(Duration.ofSeconds(5), "");

    public ClusterSettings {
        if (lease.compareTo(Duration.ofSeconds(2)) < 0 || lease.toNanosPart() != 0) {
            throw new RefusedException(Problem.BAD_INPUT, "the lease must be whole seconds, at least 2s, as in 5s");
        }
        if (!advertise.isBlank()
                && HostPort.parse(advertise)
                        .filter(at -> at.port() > 0 && !at.wildcard())
                        .isEmpty()) {
            throw new RefusedException(
                    Problem.BAD_INPUT,
                    "advertise is '" + advertise
                            + "', which other nodes cannot reach; use HOST:PORT, as in 10.0.0.1:8170");
        }
    }

    /**
     * Warns if other nodes probably cannot reach a node at its address.
     *
     * @param etcd the addresses of its store
     */
    public static Optional<String> doubt(HostPort node, List<URI> etcd) {
        return etcd.stream()
                .filter(url -> node.loopback() && !new HostPort(bare(url.getHost()), url.getPort()).loopback())
                .findFirst()
                .map(url -> "other nodes would reach this one at " + node
                        + ", a loopback address, but etcd is at " + url
                        + ": nodes on other machines would reach themselves instead");
    }

    private static String bare(String host) {
        return host.replaceAll("[\\[\\]]", "");
    }
}
