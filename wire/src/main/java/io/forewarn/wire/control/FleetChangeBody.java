package io.forewarn.wire.control;

import java.util.List;

/**
 * What a change of the fleet does to one group or machine.
 *
 * @param what added, changed, moved (to another group or host) or removed
 * @param kind group or machine
 * @param details what of it becomes what
 */
public record FleetChangeBody(String what, String kind, String tenant, String name, List<String> details) {}
