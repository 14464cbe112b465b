package io.forewarn.core.rules;

import io.forewarn.core.Stored;
import java.time.Instant;

/**
 * What opens the control API. The secret itself is never kept.
 *
 * @param sha256 hex digest of the secret
 * @param expiresAt null if it never does
 */
public record Token(String name, String tenant, String sha256, Instant createdAt, Instant expiresAt) implements Stored {
    public static final String PREFIX = "token/";

    @Override
    public String key() {
        return PREFIX + name;
    }
}
