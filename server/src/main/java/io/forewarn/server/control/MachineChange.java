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
    static MachineSpec of(MachineSpec said, Set<String> named, Machine now) {
        GroupId group = named.contains("group") ? said.group() : now.group();
        // In another group a machine gets the next domains in turn, unless they are given.
        boolean stays = now.group().equals(group);
        return new MachineSpec(
                said.line(),
                said.id(),
                group,
                said.updateDomain() != null || !stays ? said.updateDomain() : Integer.valueOf(now.updateDomain()),
                said.faultDomain() != null || !stays ? said.faultDomain() : Integer.valueOf(now.faultDomain()),
                named.contains("host") ? said.host() : now.host(),
                named.contains("addresses") ? said.addresses() : now.addresses(),
                named.contains("listen") ? said.listen() : now.listen(),
                named.contains("spot") ? said.spot() : now.spot(),
                tags(said.tags(), now.tags()));
    }

    private static Map<String, String> tags(Map<String, String> said, Map<String, String> now) {
        Map<String, String> tags = new TreeMap<>(now);
        tags.putAll(said);
        said.forEach((key, value) -> {
            if (value.isEmpty()) {
                tags.remove(key);
            }
        });
        return tags;
    }
}
