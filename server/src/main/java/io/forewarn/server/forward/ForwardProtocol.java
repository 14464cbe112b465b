package io.forewarn.server.forward;

/** Defines the paths, headers and status codes that both ends of forwarding use. */
public final class ForwardProtocol {
    /** The prefix of all forwarded paths, followed by the original one. */
    public static final String PREFIX = "/internal";

    /** One command of a machine, whose sender waits for the outcome. */
    public static final String COMMAND = "/command";

    /** Sightings, refusals and polls, which are fire-and-forget. */
    public static final String REPORTS = "/reports";

    /** The commit that a response depends on. A response without it does not come from the writer's engine or handlers. */
    public static final String COMMIT = "Forewarn-Commit";

    /** The status of a node that is not the writer and did nothing. */
    public static final int MISDIRECTED = 421;

    private ForwardProtocol() {}
}
