package io.forewarn.wire.control;

import java.util.List;

/**
 * A host, as far as the caller may see its machines.
 *
 * @param machines number of machines on it
 * @param running how many of these are running
 * @param tenants the owners of its machines
 * @param updateDomains the first hundred update domains on it, as tenant/group#domain
 * @param needsEvacuation whether it has machines of two update domains of one group, so that work on the whole host needs
 *     --evacuate
 * @param nextWork the work in progress on it, or else the next work; absent if there is none
 * @param machineNames its first thousand machines; only in answers about a single host
 * @param events the first hundred open events of its machines; only in answers about a single host
 */
public record HostBody(
        String name,
        int machines,
        int running,
        List<String> tenants,
        List<String> updateDomains,
        Boolean needsEvacuation,
        HostWorkBody nextWork,
        List<String> machineNames,
        List<EventBody> events) {}
