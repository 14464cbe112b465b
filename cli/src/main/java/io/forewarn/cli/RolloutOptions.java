package io.forewarn.cli;

import io.forewarn.wire.control.RolloutRequest;
import java.util.List;
import java.util.stream.Stream;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Options that describe a rollout, for {@code rollout plan} and {@code rollout start}. */
final class RolloutOptions {
    @Spec(Spec.Target.MIXEE)
    private CommandSpec command;

    @Parameters(index = "0", arity = "0..1", paramLabel = "NAME", description = "Rollout name (optional for plan).")
    private String called;

    @Option(names = "--name", paramLabel = "NAME", description = "The same as NAME.")
    private String name;

    @Option(names = "--type", paramLabel = "TYPE", required = true, description = "freeze, reboot or redeploy.")
    private String type;

    @Option(names = "--hosts", paramLabel = "HOST", split = ",", description = "Whole hosts; '*' for all.")
    private List<String> hosts;

    @Option(
            names = "--groups",
            paramLabel = "GROUP",
            split = ",",
            description = "Machines of these groups, one update domain after the other.")
    private List<String> groups;

    @Option(names = "--tag", paramLabel = "KEY=VALUE", description = "Machines with this tag.")
    private String tag;

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
            names = "--at-once",
            paramLabel = "N|N%|fault-domain",
            description = "How many units (hosts, or update domains of groups) together; else as many as the groups"
                    + " allow.")
    private String atOnce;

    @Option(
            names = "--window",
            paramLabel = "WINDOW",
            description =
                    "When its events may start, such as 'sat,sun 01:00 4h Europe/Berlin'; may be given several times.")
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
            description = "Until then owners may redeploy their machines themselves; those machines count as done.")
    private String selfServiceUntil;

    @Option(
            names = "--duration",
            paramLabel = "DURATION",
            description = "Expected downtime of a machine, such as 5s; default: what the driver reports.")
    private String duration;

    @Option(names = "--description", paramLabel = "TEXT", description = "Description shown in the events.")
    private String description;

    RolloutRequest named() {
        if (name() == null) {
            throw wrong("the rollout has no name; '" + command.qualifiedName() + " NAME …' would be right");
        }
        return request();
    }

    RolloutRequest request() {
        checkTarget();
        return new RolloutRequest(
                name(),
                type,
                hosts,
                groups,
                tag,
                notice,
                recovery,
                atOnce,
                windows,
                evacuate || passes ? true : null,
                rehearsal || drill ? true : null,
                selfServiceUntil,
                description,
                duration);
    }

    private String name() {
        if (called != null && name != null && !called.equals(name)) {
            throw wrong("the rollout has two names, '" + called + "' and '" + name + "'; one name would be right");
        }
        return called == null ? name : called;
    }

    private void checkTarget() {
        long given = Stream.of(hosts, groups, tag).filter(t -> t != null).count();
        if (given == 0) {
            throw wrong("no target is given; one of --hosts, --groups and --tag is required");
        }
        if (given > 1) {
            throw wrong("only one of --hosts, --groups and --tag can be given");
        }
        checkNames("--hosts", hosts, "--hosts host-1,host-2, or --hosts '*' for all");
        checkNames("--groups", groups, "--groups web,batch");
    }

    private void checkNames(String option, List<String> names, String right) {
        if (names != null && names.stream().anyMatch(String::isBlank)) {
            throw wrong(option + " has an empty name in it; " + right + " would be right");
        }
    }

    private ParameterException wrong(String sentence) {
        return new ParameterException(command.commandLine(), sentence);
    }
}
