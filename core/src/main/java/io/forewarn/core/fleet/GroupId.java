package io.forewarn.core.fleet;

/** A group's name within its tenant, written {@code tenant/name}. */
public record GroupId(String tenant, String name) implements Comparable<GroupId> {
    private static final String EVERY_GROUP = "*";

    /** Stands for all groups of a tenant, in what concerns several of them. No group has this name. */
    public static GroupId all(String tenant) {
        return new GroupId(tenant, EVERY_GROUP);
    }

    public boolean isWholeTenant() {
        return name.equals(EVERY_GROUP);
    }

    @Override
    public int compareTo(GroupId other) {
        int byTenant = tenant.compareTo(other.tenant);
        return byTenant != 0 ? byTenant : name.compareTo(other.name);
    }

    @Override
    public String toString() {
        return tenant + "/" + name;
    }
}
