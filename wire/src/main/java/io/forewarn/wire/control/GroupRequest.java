package io.forewarn.wire.control;

/**
 * A group of the fleet file, to add or to change. What is left out is as if a fleet file left it out.
 *
 * @param name left out, as the path says
 * @param tenant left out, as the path says
 * @param kind cloud-service, availability-set, scale-set or single
 * @param updateDomains into how many its machines are sorted
 * @param faultDomains into how many its machines are sorted
 */
public record GroupRequest(String name, String tenant, String kind, Integer updateDomains, Integer faultDomains) {}
