package io.forewarn.core.fleet;

/** A machine's name within its tenant, written {@code tenant/name}. */
public record MachineId(String tenant, String name) implements Comparable<MachineId> {
    @Override
    public int compareTo(MachineId other) {
        int byTenant = tenant.compareTo(other.tenant);
        return byTenant != 0 ? byTenant : name.compareTo(other.name);
    }

    @Override
    public String toString() {
        return tenant + "/" + name;
    }
}
