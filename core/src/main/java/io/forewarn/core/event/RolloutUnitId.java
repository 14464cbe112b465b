package io.forewarn.core.event;

/** Ties the events of one unit of a rollout together. */
public record RolloutUnitId(String rollout, int unit) {}
