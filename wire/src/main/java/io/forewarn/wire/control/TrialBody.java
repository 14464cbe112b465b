package io.forewarn.wire.control;

/**
 * What became of a test.
 *
 * @param error why it was not delivered
 */
public record TrialBody(boolean delivered, String error) {}
