package io.forewarn.server.boot;

import io.forewarn.server.cluster.ClusterGateway;
import io.forewarn.server.cluster.ClusterPeers;
import io.forewarn.server.metrics.NodeMetrics;
import java.util.Map;
import java.util.function.LongSupplier;

/** Collects a node's metrics from its parts. */
record ClusterMetrics(ClusterGateway seat, ClusterPeers neighbours) implements NodeMetrics {
    @Override
    public boolean writes() {
        return seat.writes();
    }

    @Override
    public double heardSeconds() {
        return seat.lag().map(lag -> lag.toMillis() / 1000.0).orElse(seat.writes() ? 0 : Double.NaN);
    }

    @Override
    public boolean writerUnreachable() {
        return neighbours.forwardingError().isPresent();
    }

    @Override
    public long epoch() {
        return seat.epoch();
    }

    @Override
    public int nodes() {
        return neighbours.nodes().size();
    }

    @Override
    public int format() {
        return neighbours.format();
    }

    @Override
    public double members() {
        return neighbours.etcdMembers();
    }

    @Override
    public double responding() {
        return neighbours.etcdResponding();
    }

    @Override
    public Map<String, LongSupplier> forwardedRequests() {
        return neighbours.forwardedRequests();
    }
}
