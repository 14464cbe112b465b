package io.forewarn.server.driver;

import java.time.Instant;

/**
 * Whether work may be begun here at this moment. Whoever writes next asks what became of the work that was not.
 *
 * @param given whether it may
 * @param until when that ends, on this machine's clock; null if it does not
 */
public record StartPermit(boolean given, Instant until) {
    public static final StartPermit ALWAYS = new StartPermit(true, null);
    public static final StartPermit NEVER = new StartPermit(false, null);
}
