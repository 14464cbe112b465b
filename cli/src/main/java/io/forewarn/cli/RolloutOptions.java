package io.forewarn.cli;

import io.forewarn.wire.control.RolloutRequest;
import java.util.List;
import java.util.stream.Stream;
import picocli.CommandLine.Mixin;
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

    @Option(
            names = "--hosts",
            paramLabel = "HOST",
            split = ",",
            description = "Whole hosts; 'host-1?' and 'rack-*' are patterns, '*' is all.")
    private List<String> hosts;

    @Option(
            names = "--groups",
            paramLabel = "GROUP",
            split = ",",
            description = "Machines of these groups, one update domain after the other; 'shop/*' is a pattern.")
    private List<String> groups;

    @Option(names = "--tag", paramLabel = "KEY=VALUE", description = "Machines with this tag.")
    private String tag;

    @Option(
            names = "--exclude",
            paramLabel = "NAME",
            split = ",",
            description = "Leave these out: hosts with --hosts, or else groups; may be patterns.")
    private List<String> exclude;

    @Option(
            names = "--tenant",
            paramLabel = "NAME",
            split = ",",
            description = "Only groups of these tenants, or whole hosts that carry a machine of one.")
    private List<String> tenants;

    @Option(
            names = "--except-tenant",
            paramLabel = "NAME",
            split = ",",
            description = "No groups of these tenants, and no host that carries a machine of one.")
    private List<String> exceptTenants;

    @Option(
            names = "--at-once",
            paramLabel = "N|N%|fault-domain",
            description = "How many units (hosts, or update domains of groups) together; else as many as the groups"
                    + " allow.")
    private String atOnce;

    @Mixin
    private RolloutWorkOptions work;

    RolloutRequest named() {
        if (name() == null) {
            throw wrong("the rollout has no name; '" + command.qualifiedName() + " NAME …' would be right");
        }
        return request();
    }

    RolloutRequest request() {
        checkTarget();
        return work.request(
                name(),
                type,
                new RolloutWorkOptions.Target(hosts, groups, tag, exclude, tenants, exceptTenants, atOnce),
                false);
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
        checkNames("--exclude", exclude, "--exclude host-7,'host-2?'");
        checkNames("--tenant", tenants, "--tenant shop");
        checkNames("--except-tenant", exceptTenants, "--except-tenant bank");
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
