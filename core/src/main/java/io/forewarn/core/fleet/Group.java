package io.forewarn.core.fleet;

/**
 * The machines that see each other's events.
 *
 * @param updateDomains into how many slices, each of which may be down together, the group is cut
 * @param faultDomains over how many independent failures the group is spread
 */
public record Group(GroupId id, GroupKind kind, int updateDomains, int faultDomains) {}
