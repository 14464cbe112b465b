package io.forewarn.server.boot;

import io.forewarn.server.cluster.ClusterGateway;
import io.forewarn.server.cluster.ClusterPeers;
import io.forewarn.server.metrics.NodeMetrics;
import java.util.Map;
import java.util.function.LongSupplier;

/** Collects a node's metrics from its parts. */
record ClusterMetrics(ClusterGateway gateway, ClusterPeers peers) implements NodeMetrics {
    @Override
    public boolean writes() {
        return gateway.writes();
    }

    @Override
    public double heardSeconds() {
        return gateway.lag().map(lag -> lag.toMillis() / 1000.0).orElse(gateway.writes() ? 0 : Double.NaN);
    }

    @Override
    public boolean writerUnreachable() {
        return peers.forwardingError().isPresent();
    }

    @Override
    public long epoch() {
        return gateway.epoch();
    }

    @Override
    public int nodes() {
        return peers.nodes().size();
    }

    @Override
    public int format() {
        return peers.format();
    }

    @Override
    public double members() {
        return peers.etcdMembers();
    }

    @Override
    public double responding() {
        return peers.etcdResponding();
    }

    @Override
    public Map<String, LongSupplier> forwardedRequests() {
        return peers.forwardedRequests();
    }
}
