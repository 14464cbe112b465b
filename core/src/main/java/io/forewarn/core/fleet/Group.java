package io.forewarn.core.fleet;

/**
 * Describes a group: machines that see each other's events.
 *
 * @param updateDomains number of update domains, whose machines may be down together
 * @param faultDomains number of fault domains, which fail independently
 */
public record Group(GroupId id, GroupKind kind, int updateDomains, int faultDomains) {}
