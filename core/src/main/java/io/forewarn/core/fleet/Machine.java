package io.forewarn.core.fleet;

import java.util.List;
import java.util.Map;

/**
 * One machine, as the fleet file describes it.
 *
 * @param host what it runs on, or blank
 * @param addresses source addresses by which it is known on the metadata endpoint
 * @param listen a listener of its own, {@code HOST:PORT}, or blank
 * @param spot may be taken away (Preempt)
 * @param placement how often the fleet has named another host for it: tells a machine that came back to a host from one that
 *     never left it
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

    /** One that is where it was first placed. */
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
