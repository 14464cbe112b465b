package io.forewarn.core.access;

import io.forewarn.core.Problem;
import io.forewarn.core.RefusedException;
import io.forewarn.core.StoredRecord;
import java.time.Instant;

/**
 * Holds an API token. The secret itself is never stored.
 *
 * @param name unique; {@code tenant/name} where the bare name was taken by another tenant's token
 * @param tenant the only tenant it gives access to, or {@link #EVERY_TENANT}
 * @param sha256 hex digest of the secret
 * @param expiresAt null if it never does
 */
public record ApiToken(String name, String tenant, Role role, String sha256, Instant createdAt, Instant expiresAt)
        implements StoredRecord {
    public static final String PREFIX = "token/";

    /** The tenant of a token for all tenants. */
    public static final String EVERY_TENANT = "*";

    /** The name that it was given. */
    public String givenName() {
        return name.substring(name.indexOf('/') + 1);
    }

    /** The same under a name that only its tenant can have given. */
    public ApiToken qualified() {
        return new ApiToken(qualified(tenant, name), tenant, role, sha256, createdAt, expiresAt);
    }

    public static String qualified(String tenant, String name) {
        return tenant + "/" + name;
    }

    public boolean everyTenant() {
        return tenant.equals(EVERY_TENANT);
    }

    public boolean expired(Instant now) {
        return expiresAt != null && !now.isBefore(expiresAt);
    }

    /** Checks that an operator has no tenant and an owner has one; a viewer may have one or none. */
    public void check() {
        if (role == Role.OPERATOR && !everyTenant()) {
            throw new RefusedException(
                    Problem.BAD_INPUT,
                    "an operator has access to all tenants, not only to '" + tenant
                            + "'; leave the tenant out, or create an owner");
        }
        if (role == Role.OWNER && everyTenant()) {
            throw new RefusedException(
                    Problem.BAD_INPUT, "an owner has exactly one tenant; give it with --tenant NAME");
        }
    }

    @Override
    public String key() {
        return PREFIX + name;
    }
}
