package io.forewarn.server.notify;

/**
 * What became of one try.
 *
 * @param taken it need not be tried again
 * @param error what went wrong, possibly although it was taken: not everybody may have got it; null if nothing did
 */
record Fate(boolean taken, String error) {
    static final Fate TAKEN = new Fate(true, null);

    static Fate failed(String why) {
        return new Fate(false, why);
    }
}
