package io.forewarn.server.control;

import io.forewarn.core.fleet.FleetSpec.MachineSpec;
import io.forewarn.core.fleet.GroupId;
import io.forewarn.core.fleet.Machine;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Applies a partial change to a machine. */
final class MachineChange {
    private MachineChange() {}

    /**
     * Domains have two spellings, {@code update-domain} and {@code updateDomain}, so whether they were given is not read from the keys.
     *
     * @param named the given keys; all others stay, and so do tags that are not given. An empty tag is removed.
     */
    static MachineSpec of(MachineSpec given, Set<String> named, Machine now) {
        GroupId group = named.contains("group") ? given.group() : now.group();
        // In another group a machine gets the next domains in turn, unless they are given.
        boolean stays = now.group().equals(group);
        return new MachineSpec(
                given.line(),
                given.id(),
                group,
                given.updateDomain() != null || !stays ? given.updateDomain() : Integer.valueOf(now.updateDomain()),
                given.faultDomain() != null || !stays ? given.faultDomain() : Integer.valueOf(now.faultDomain()),
                named.contains("host") ? given.host() : now.host(),
                named.contains("addresses") ? given.addresses() : now.addresses(),
                named.contains("listen") ? given.listen() : now.listen(),
                named.contains("spot") ? given.spot() : now.spot(),
                tags(given.tags(), now.tags()));
    }

    private static Map<String, String> tags(Map<String, String> given, Map<String, String> now) {
        Map<String, String> tags = new TreeMap<>(now);
        tags.putAll(given);
        given.forEach((key, value) -> {
            if (value.isEmpty()) {
                tags.remove(key);
            }
        });
        return tags;
    }
}
