package io.forewarn.cli;

/** No server answered. */
final class Unreachable extends RuntimeException {
    Unreachable(String url, String why) {
        super(
                "no server answers at " + url + " (" + why
                        + "). 'forewarn serve' starts one; FOREWARN_URL or --url names" + " another",
                null,
                false,
                false);
    }
}
