package io.forewarn.core;

import java.time.Duration;

/**
 * Holds the machine's uptime, which tells how long the process was down after a restart of the process alone, whatever
 * the wall clock says.
 *
 * @param boot identifies one boot of one machine; blank if unknown
 * @param up time since that boot, including suspend
 */
public record Uptime(String boot, Duration up) {
    public static final Uptime UNKNOWN = new Uptime("", Duration.ZERO);

    /** Elapsed time since then; negative if unknown. */
    public Duration since(Uptime then) {
        return boot.isEmpty() || !boot.equals(then.boot) ? Duration.ofNanos(-1) : up.minus(then.up);
    }
}
