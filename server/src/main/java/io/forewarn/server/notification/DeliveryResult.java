package io.forewarn.server.notification;

/**
 * What became of one try.
 *
 * @param taken it need not be tried again
 * @param error what went wrong, possibly although it was taken: not everybody may have got it; null if nothing did
 */
record DeliveryResult(boolean taken, String error) {
    static final DeliveryResult TAKEN = new DeliveryResult(true, null);

    static DeliveryResult failed(String why) {
        return new DeliveryResult(false, why);
    }
}
