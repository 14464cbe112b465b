package io.forewarn.server.notification;

/**
 * The outcome of one attempt.
 *
 * @param taken whether it was accepted and needs no further attempt
 * @param error what went wrong, possibly although it was accepted, as some recipients may not have received it; null if
 *     nothing did
 */
record DeliveryResult(boolean taken, String error) {
    static final DeliveryResult TAKEN = new DeliveryResult(true, null);

    static DeliveryResult failed(String why) {
        return new DeliveryResult(false, why);
    }
}
