package io.forewarn.cli;

/** Lists the kinds of work on one host. Each is a rollout over that host. */
enum HostAction {
    REBOOT(
            "reboot",
            "reboot",
            "Reboot a host: all its machines go down together, each with notice. A rollout of one host.",
            "host-3"),
    FREEZE(
            "freeze",
            "freeze",
            "Pause a host: all its machines stand still for some seconds, each with notice. A rollout of one host.",
            "host-3 --duration 5s"),
    REDEPLOY(
            "redeploy",
            "redeploy",
            "Move all machines of a host to other hosts, together, each with notice. A rollout of one host.",
            "host-3 --notice 1h"),
    DRAIN(
            "drain",
            "redeploy",
            "Empty a host: like redeploy, but of a group with two update domains on the host, one moves after the"
                    + " other (--evacuate).",
            "host-3 --wait");

    private final String word;
    private final String type;
    private final String description;
    private final String example;

    HostAction(String word, String type, String description, String example) {
        this.word = word;
        this.type = type;
        this.description = description;
        this.example = example;
    }

    String word() {
        return word;
    }

    /** The type of the rollout. */
    String type() {
        return type;
    }

    /** Whether a host with two update domains of one group is evacuated without being asked to. */
    boolean evacuates() {
        return this == DRAIN;
    }

    String description() {
        return description;
    }

    String example() {
        return example;
    }
}
