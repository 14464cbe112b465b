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
 * @param group the only group of its tenant that a calendar shows; null for all, and for other roles
 * @param rollout the only rollout that a calendar shows; null for all, and for other roles
 */
public record ApiToken(
        String name,
        String tenant,
        Role role,
        String sha256,
        Instant createdAt,
        Instant expiresAt,
        String group,
        String rollout)
        implements StoredRecord {
    public static final String PREFIX = "token/";

    /** The tenant of a token for all tenants. */
    public static final String EVERY_TENANT = "*";

    /** A token that is not limited to a group or a rollout. */
    public ApiToken(String name, String tenant, Role role, String sha256, Instant createdAt, Instant expiresAt) {
        this(name, tenant, role, sha256, createdAt, expiresAt, null, null);
    }

    /** The name that it was given. */
    public String givenName() {
        return name.substring(name.indexOf('/') + 1);
    }

    /** The same under a name that only its tenant can have given. */
    public ApiToken qualified() {
        return new ApiToken(qualified(tenant, name), tenant, role, sha256, createdAt, expiresAt, group, rollout);
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

    /**
     * Checks that an operator has no tenant and an owner has one; a viewer and a calendar may have one or none. Only a
     * calendar can be limited further.
     */
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
        if (role != Role.CALENDAR && (group != null || rollout != null)) {
            throw new RefusedException(
                    Problem.BAD_INPUT, "only a calendar can be limited to a group or a rollout; use --role calendar");
        }
        if (group != null && everyTenant()) {
            throw new RefusedException(Problem.BAD_INPUT, "a group has a tenant; give it as tenant/group");
        }
    }

    @Override
    public String key() {
        return PREFIX + name;
    }
}
