package io.forewarn.wire.control;

/**
 * A group of the fleet file, to add or to change. An omitted member has the same effect as in a fleet file.
 *
 * @param name may be omitted, because the path contains it
 * @param tenant may be omitted, because the path contains it
 * @param kind cloud-service, availability-set, scale-set or single
 * @param updateDomains number of update domains
 * @param faultDomains number of fault domains
 */
public record GroupRequest(String name, String tenant, String kind, Integer updateDomains, Integer faultDomains) {}
