package io.forewarn.core.fleet;

import java.util.List;
import java.util.Map;

/**
 * Describes a machine, as in the fleet file.
 *
 * @param host the host it runs on, or blank
 * @param addresses source addresses that identify it at the metadata endpoint
 * @param listen a listener for this machine only, {@code HOST:PORT}, or blank
 * @param spot whether it may be evicted (Preempt)
 * @param placement how often its host has changed: distinguishes a machine that came back to a host from one that never
 *     left it
 */
public record Machine(
        MachineId id,
        GroupId group,
        int updateDomain,
        int faultDomain,
        String host,
        List<String> addresses,
        String listen,
        boolean spot,
        Map<String, String> tags,
        int placement) {
    public Machine {
        addresses = List.copyOf(addresses);
        tags = Map.copyOf(tags);
    }

    /** A machine that is still on its first host. */
    public Machine(
            MachineId id,
            GroupId group,
            int updateDomain,
            int faultDomain,
            String host,
            List<String> addresses,
            String listen,
            boolean spot,
            Map<String, String> tags) {
        this(id, group, updateDomain, faultDomain, host, addresses, listen, spot, tags, 0);
    }

    public String name() {
        return id.name();
    }
}
