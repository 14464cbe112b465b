package io.forewarn.cli;

/** No server answered, or none that can be talked to like this. */
final class ServerUnreachableException extends RuntimeException {
    private final boolean there;
    private final String cure;

    ServerUnreachableException(String url, String why) {
        this(
                "no server answers at " + url + " (" + why
                        + "). 'forewarn serve' starts one; FOREWARN_URL or --url names another",
                false,
                "forewarn serve");
    }

    private ServerUnreachableException(String message, boolean there, String cure) {
        super(message, null, false, false);
        this.there = there;
        this.cure = cure;
    }

    /** A server is there, and must be asked in another way. */
    static ServerUnreachableException like(String url, String why, String cure) {
        return new ServerUnreachableException("a server answers at " + url + ", but " + why + "; " + cure, true, cure);
    }

    /** Whether a server is there. */
    boolean there() {
        return there;
    }

    String cure() {
        return cure;
    }
}
