package io.forewarn.server.cluster;

import io.forewarn.core.Problem;
import io.forewarn.core.RefusedException;
import io.forewarn.core.engine.StoreException;
import io.forewarn.server.log.Log;
import io.forewarn.server.log.LogLine;
import io.forewarn.server.settings.ClusterSettings;
import io.forewarn.store.etcd.ClusterMembership;
import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Keeps two nodes from using the same name. If the previous owner was killed, the name becomes free when its lease expires,
 * so a restarted node waits for that; an owner that is alive keeps renewing its lease. A free port proves nothing: the owner
 * may be on another machine with the same address.
 */
public final class NodeNameGuard {
    /** An orphaned lease seems alive for less than this, even if etcd extends it after a change of its leader. */
    private static final Duration ALIVE = Duration.ofSeconds(6);

    private final ClusterMembership membership;
    private final String name;
    private final LongSupplier elapsedNanos;
    private final Log log;
    private boolean logged;
    private Long aliveSince;

    public NodeNameGuard(ClusterMembership membership, String name, LongSupplier elapsedNanos, Log log) {
        this.membership = membership;
        this.name = name;
        this.elapsedNanos = elapsedNanos;
        this.log = log;
    }

    /**
     * Checks the present owner. To be called until the name is free.
     *
     * @throws RefusedException if the owner is alive
     */
    public void check() throws StoreException {
        if (!logged) {
            logged = true;
            log.write(LogLine.warning("waiting")
                    .with("for", "the lease of the node that was " + name + " before to end")
                    .with("fix", "if it still runs, " + ClusterSettings.REACHABLE));
        }
        if (!membership.isAlive(name)) {
            aliveSince = null;
            return;
        }
        long now = elapsedNanos.getAsLong();
        aliveSince = aliveSince == null ? now : aliveSince;
        if (now - aliveSince >= ALIVE.toNanos()) {
            throw new RefusedException(
                    Problem.CONFLICT,
                    "another node of this cluster already has the name " + name + "; " + ClusterSettings.REACHABLE);
        }
    }
}
