package io.forewarn.core.rollout;

import io.forewarn.core.fleet.Machine;
import java.util.List;

/**
 * Selects the machines of a rollout. In all but tags, {@code *} stands for any characters and {@code ?} for one.
 *
 * @param names hosts; groups as {@code tenant/name}; or one tag as {@code key=value}
 * @param exclude hosts, for a target of hosts, or else groups, that are left out
 * @param tenants only these tenants' groups, or hosts that carry a machine of one of them; empty: all
 * @param exceptTenants not these tenants' groups, nor hosts that carry a machine of one of them
 */
public record RolloutTarget(
        Kind kind, List<String> names, List<String> exclude, List<String> tenants, List<String> exceptTenants) {
    /** All hosts. */
    public static final String EVERY_HOST = "*";

    public enum Kind {
        /** Whole hosts with all their machines. */
        HOSTS,
        /** The machines of groups, one update domain after the other. */
        GROUPS,
        /** The machines with a tag, group by group, one update domain after the other. */
        TAG
    }

    public RolloutTarget {
        names = List.copyOf(names);
        exclude = List.copyOf(exclude);
        tenants = List.copyOf(tenants);
        exceptTenants = List.copyOf(exceptTenants);
    }

    /** Everything that has these names. */
    public RolloutTarget(Kind kind, List<String> names) {
        this(kind, names, List.of(), List.of(), List.of());
    }

    /** The name of the unit that a machine is part of, if the rollout covers it. */
    public String unitOf(Machine machine) {
        return kind == Kind.HOSTS ? machine.host() : machine.group() + "#" + machine.updateDomain();
    }

    /** Whether it leaves something out of what its names cover. */
    public boolean isFiltered() {
        return !exclude.isEmpty() || !tenants.isEmpty() || !exceptTenants.isEmpty();
    }
}
