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
    private boolean told;
    private Long heardSince;

    public NodeNameGuard(ClusterMembership membership, String name, LongSupplier elapsedNanos, Log log) {
        this.membership = membership;
        this.name = name;
        this.elapsedNanos = elapsedNanos;
        this.log = log;
    }

    /**
     * Looks at who has it. To be called until it is free.
     *
     * @throws RefusedException if that one lives
     */
    public void look() throws StoreException {
        if (!told) {
            told = true;
            log.write(LogLine.warning("waiting")
                    .with("for", "the lease of the node that was " + name + " before to end")
                    .with("fix", "if it still runs, " + ClusterSettings.REACHABLE));
        }
        if (!membership.isHeard(name)) {
            heardSince = null;
            return;
        }
        long now = elapsedNanos.getAsLong();
        heardSince = heardSince == null ? now : heardSince;
        if (now - heardSince >= ALIVE.toNanos()) {
            throw new RefusedException(
                    Problem.CONFLICT,
                    "another node of this cluster is " + name + " already; " + ClusterSettings.REACHABLE);
        }
    }
}
