package io.forewarn.wire.control;

import java.util.List;

/**
 * A host, as far as the caller may see its machines.
 *
 * @param machines number of machines on it
 * @param running number of them that are running
 * @param tenants the owners of its machines
 * @param updateDomains the update domains on it, as tenant/group#domain, the first hundred of them
 * @param needsEvacuation whether it carries two update domains of one group; work on the whole host then needs --evacuate
 * @param nextWork the next work on it, or the work that is under way; absent: none is scheduled
 * @param machineNames its machines, the first thousand of them; only in answers about a single host
 * @param events the open events of its machines, the first hundred of them; only in answers about a single host
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
