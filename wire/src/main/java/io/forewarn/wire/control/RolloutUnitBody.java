package io.forewarn.wire.control;

import java.util.List;

/**
 * An active unit of a rollout.
 *
 * @param name a host, or tenant/group#domain
 * @param evacuation whether machines are only being moved away from the unit's host
 * @param events one for each affected group and update domain
 */
public record RolloutUnitBody(String name, Boolean evacuation, List<EventBody> events) {}
