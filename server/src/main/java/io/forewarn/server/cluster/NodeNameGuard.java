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
 * A node's place, which another has. If that one was killed it is free when its lease ends: a node that is started again waits for
 * that. One that lives renews its lease all the time. That nobody else listens here proves nothing: it may be another machine's
 * address, too.
 */
public final class NodeNameGuard {
    /** Longer than a lease of which nothing is lost looks so; also if etcd draws it out because another member leads. */
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
                    .with("cure", "if it still runs, " + ClusterSettings.REACHABLE));
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
