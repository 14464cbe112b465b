package io.forewarn.core.event;

/** Ties the events of one piece of a rollout together. */
public record RolloutUnitId(String rollout, int unit) {}
