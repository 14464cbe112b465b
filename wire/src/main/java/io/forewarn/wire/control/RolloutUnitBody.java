package io.forewarn.wire.control;

import java.util.List;

/**
 * An active unit of a rollout.
 *
 * @param name a host, or tenant/group#domain
 * @param evacuation whether the unit is being evacuated: machines are only moved away
 * @param events one for each affected group and update domain
 */
public record RolloutUnitBody(String name, Boolean evacuation, List<EventBody> events) {}
