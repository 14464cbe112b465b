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
        Map<String, String> tags) {
    public Machine {
        addresses = List.copyOf(addresses);
        tags = Map.copyOf(tags);
    }

    public String name() {
        return id.name();
    }
}
