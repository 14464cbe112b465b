package io.forewarn.wire.control;

import java.util.List;

/**
 * What a rollout would do if it began now, nobody approved early and nothing failed.
 *
 * @param units how many hosts or update domains
 * @param groups how many groups it hits
 * @param machines how many machines it hits
 * @param ends when the last unit would end
 * @param lasts how long that is from now
 * @param blocked what keeps units from being done
 * @param stepCount how many steps there would be; more than units if some hosts are evacuated first
 * @param steps in the order they would be scheduled, as many as were asked for
 */
public record PlanBody(
        String name,
        int units,
        int groups,
        int machines,
        String ends,
        String lasts,
        List<String> blocked,
        int stepCount,
        List<PlanStepBody> steps) {}
