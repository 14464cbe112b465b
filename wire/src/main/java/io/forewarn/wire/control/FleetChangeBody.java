package io.forewarn.wire.control;

import java.util.List;

/**
 * The change to one group or machine of the fleet.
 *
 * @param change added, changed, moved (to another group or host) or removed
 * @param kind group or machine
 * @param details what changed, each with the old and the new value
 */
public record FleetChangeBody(String change, String kind, String tenant, String name, List<String> details) {}
