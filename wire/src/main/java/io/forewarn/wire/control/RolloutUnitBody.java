package io.forewarn.wire.control;

import java.util.List;

/**
 * A unit of a rollout that is under way.
 *
 * @param name a host, or tenant/group#domain
 * @param moves it is being evacuated: machines are only moved away
 * @param events one for each group and update domain it touches
 */
public record RolloutUnitBody(String name, Boolean moves, List<EventBody> events) {}
