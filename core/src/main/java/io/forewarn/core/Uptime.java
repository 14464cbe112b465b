package io.forewarn.core;

import java.time.Duration;

/**
 * How long the machine has been up: what tells, after a restart of the process alone, how long it was away, whatever the wall says.
 *
 * @param boot names one boot of one machine; blank if it is not known
 * @param up since that boot, with the time the machine slept
 */
public record Uptime(String boot, Duration up) {
    public static final Uptime UNKNOWN = new Uptime("", Duration.ZERO);

    /** How much time passed since then; negative if nobody can tell. */
    public Duration since(Uptime then) {
        return boot.isEmpty() || !boot.equals(then.boot) ? Duration.ofNanos(-1) : up.minus(then.up);
    }
}
