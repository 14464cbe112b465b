package io.forewarn.server.forward;

/** The paths, headers and statuses that both ends of forwarding agree on. */
public final class ForwardProtocol {
    /** Before the path of everything that a node forwards. What people asked for follows as they asked for it. */
    public static final String PREFIX = "/internal";

    /** One command of a machine, whose sender waits for the outcome. */
    public static final String COMMAND = "/command";

    /** Sightings, refusals and polls, which nobody waits for. */
    public static final String REPORTS = "/reports";

    /** Tells which commit an answer depends on. An answer without it was not decided by the writer's engine or handlers. */
    public static final String COMMIT = "Forewarn-Commit";

    /** The status by which a node says that it does not write and did nothing. */
    public static final int MISDIRECTED = 421;

    private ForwardProtocol() {}
}
