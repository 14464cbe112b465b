package io.forewarn.wire.control;

import java.util.List;

/**
 * One step of a plan.
 *
 * @param unit a host, or tenant/group#domain
 * @param moves machines are only moved away
 * @param scheduled when its events would be scheduled
 * @param starts when it would start at the latest
 * @param machines number of affected machines
 * @param names their names as tenant/name; the first hundred
 */
public record PlanStepBody(
        String unit,
        Boolean moves,
        String scheduled,
        String starts,
        String ends,
        List<String> groups,
        int machines,
        List<String> names) {}
