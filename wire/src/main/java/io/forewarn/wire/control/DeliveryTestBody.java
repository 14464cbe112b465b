package io.forewarn.wire.control;

/**
 * Result of a test delivery.
 *
 * @param error why it was not delivered, or not to every address; absent if it was delivered
 */
public record DeliveryTestBody(boolean delivered, String error) {}
