package io.forewarn.server.driver;

import java.time.Instant;

/**
 * Tells whether this node may start work now. The next writer asks for the status of work that was not started.
 *
 * @param given whether it may
 * @param until when the permit ends, by this machine's clock; null: no limit
 */
public record StartPermit(boolean given, Instant until) {
    public static final StartPermit ALWAYS = new StartPermit(true, null);
    public static final StartPermit NEVER = new StartPermit(false, null);
}
