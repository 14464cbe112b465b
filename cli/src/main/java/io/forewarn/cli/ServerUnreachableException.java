package io.forewarn.cli;

/** Reports that no server answered, or not the way the command needs. */
final class ServerUnreachableException extends RuntimeException {
    private final boolean there;
    private final String fix;

    ServerUnreachableException(String url, String why) {
        this(
                "no server answers at " + url + " (" + why
                        + "). Start one with 'forewarn serve', or name another with FOREWARN_URL or --url",
                false,
                "forewarn serve");
    }

    private ServerUnreachableException(String message, boolean there, String fix) {
        super(message, null, false, false);
        this.there = there;
        this.fix = fix;
    }

    /** A server answers, but has to be called differently. */
    static ServerUnreachableException like(String url, String why, String fix) {
        return new ServerUnreachableException("a server answers at " + url + ", but " + why + "; " + fix, true, fix);
    }

    /** Whether a server answered. */
    boolean there() {
        return there;
    }

    String fix() {
        return fix;
    }
}
