package io.forewarn.server.settings;

import io.forewarn.core.Problem;
import io.forewarn.core.Refusal;
import io.forewarn.wire.control.HostPort;
import java.time.Duration;

/**
 * How nodes that share a store get along.
 *
 * @param lease how long the writer counts as there after it was heard last; another takes over within twice that
 * @param advertise HOST:PORT at which other nodes reach this one's control; blank: where it listens
 */
public record ClusterSettings(Duration lease, String advertise) {
    static final ClusterSettings DEFAULTS = new ClusterSettings(Duration.ofSeconds(5), "");

    public ClusterSettings {
        if (lease.compareTo(Duration.ofSeconds(2)) < 0 || lease.toNanosPart() != 0) {
            throw new Refusal(Problem.BAD_INPUT, "the lease must be whole seconds, at least 2s, as in 5s");
        }
        if (!advertise.isBlank()
                && HostPort.parse(advertise)
                        .filter(at -> at.port() > 0 && !at.wildcard())
                        .isEmpty()) {
            throw new Refusal(
                    Problem.BAD_INPUT,
                    "advertise is '" + advertise
                            + "', where other nodes cannot ask; HOST:PORT would be right, as in 10.0.0.1:8170");
        }
    }
}
