package io.forewarn.cli;

import io.forewarn.wire.control.RolloutRequest;
import java.util.List;
import picocli.CommandLine.Option;

/** Options that say how a rollout does its work, for rollouts and for the work on one host. */
final class RolloutWorkOptions {
    @Option(
            names = "--notice",
            paramLabel = "DURATION",
            description = "Notice to give, such as 20m; default: the minimum.")
    private String notice;

    @Option(
            names = "--recovery",
            paramLabel = "DURATION",
            description = "Pause between two update domains of a group; default: 30m.")
    private String recovery;

    @Option(
            names = "--window",
            paramLabel = "WINDOW",
            description = "When its events may start, such as 'sat,sun 01:00 4h Europe/Berlin'; may be given several"
                    + " times. Without a zone: in that of clock.zone.")
    private List<String> windows;

    @Option(
            names = "--evacuate",
            description = "Evacuate first: of a host with two update domains of one group, move all but one away.")
    private boolean evacuate;

    @Option(names = "--passes", hidden = true, description = "The former name of --evacuate.")
    private boolean passes;

    @Option(names = "--rehearsal", description = "Schedule and start it; do nothing to the machines.")
    private boolean rehearsal;

    @Option(names = "--drill", hidden = true, description = "The former name of --rehearsal.")
    private boolean drill;

    @Option(
            names = "--self-service-until",
            paramLabel = "TIME",
            description =
                    "Until then, such as 'fri 22:00', owners may redeploy their machines themselves; those machines"
                            + " count as done.")
    private String selfServiceUntil;

    @Option(
            names = "--at",
            paramLabel = "TIME",
            description =
                    "Nothing starts before, such as 'fri 22:00 Europe/Berlin'; default: as soon as notice allows.")
    private String at;

    @Option(
            names = "--until",
            paramLabel = "TIME",
            description = "No unit starts after, such as 'sat 06:00': the first such time after --at.")
    private String until;

    @Option(
            names = "--late",
            paramLabel = "refuse|next-window|any",
            description =
                    "What becomes of units that cannot start by --until: refuse the rollout (default), start them in the"
                            + " same hours of a later day, or as soon as they can.")
    private String late;

    @Option(
            names = "--duration",
            paramLabel = "DURATION",
            description = "Expected downtime of a machine, from 0s to 7 days, such as 5s, shown to machines as"
                    + " DurationInSeconds; default: what the driver reports. The plan goes by it.")
    private String duration;

    @Option(names = "--description", paramLabel = "TEXT", description = "Description shown in the events.")
    private String description;

    /** Which machines, and how many at once. */
    record Target(
            List<String> hosts,
            List<String> groups,
            String tag,
            List<String> exclude,
            List<String> tenants,
            List<String> exceptTenants,
            String atOnce) {
        static Target host(String name) {
            return new Target(List.of(name), null, null, null, null, null, null);
        }
    }

    RolloutRequest request(String name, String type, Target target, boolean alwaysEvacuate) {
        return new RolloutRequest(
                name,
                type,
                target.hosts,
                target.groups,
                target.tag,
                target.exclude,
                target.tenants,
                target.exceptTenants,
                notice,
                recovery,
                target.atOnce,
                windows,
                evacuate || passes || alwaysEvacuate ? true : null,
                rehearsal || drill ? true : null,
                selfServiceUntil,
                at,
                until,
                late,
                description,
                duration);
    }
}
