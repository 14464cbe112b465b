package io.forewarn.wire.control;

import java.util.List;

/**
 * What was done.
 *
 * @param events the events made or touched, in the order the machines were named
 * @param changes how many groups and machines were added, changed or removed
 */
public record OutcomeBody(List<EventBody> events, int changes) {}
