package io.forewarn.wire.control;

/**
 * What became of a test.
 *
 * @param error why it was not delivered, or not to everybody; left out if all got it
 */
public record DeliveryTestBody(boolean delivered, String error) {}
