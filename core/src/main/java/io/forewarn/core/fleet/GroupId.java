package io.forewarn.core.fleet;

/** A group's name within its tenant, written {@code tenant/name}. */
public record GroupId(String tenant, String name) implements Comparable<GroupId> {
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
