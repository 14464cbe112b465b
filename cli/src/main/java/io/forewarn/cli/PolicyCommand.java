package io.forewarn.cli;

import io.forewarn.wire.control.CommandResultBody;
import io.forewarn.wire.control.ExplanationBody;
import io.forewarn.wire.control.Json;
import io.forewarn.wire.control.PolicyBody;
import io.forewarn.wire.control.Route;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/** Lists, sets, removes and explains policies. */
@Command(
        name = "policy",
        addMethodSubcommands = false,
        description = "Policies: notice, approval, maintenance windows and postponement, per tenant, group and type.",
        footer = {
            "",
            "Examples:",
            "  forewarn policy set --group web --window 'sat,sun 01:00 4h Europe/Berlin'",
            "  forewarn policy set --group web --approval all --postpone 3x2h",
            "  forewarn policy set --blackout 2026-12-24..2026-12-27      for the whole tenant",
            "  forewarn policy set --group web --blackout '2026-12-24 18:00..2026-12-27 06:00 Europe/Berlin'",
            "  forewarn policy explain ID                                which rule set which value"
        })
final class PolicyCommand {
    /** Options that say what a policy applies to. */
    static final class For {
        @Option(names = "--tenant", paramLabel = "NAME", description = "For this tenant; default: the token's own.")
        private String tenant;

        @Option(names = "--group", paramLabel = "NAME", description = "For this group only.")
        private String group;

        @Option(
                names = "--type",
                paramLabel = "TYPE",
                description = "For these events only: freeze, reboot, redeploy, preempt or terminate.")
        private String type;
    }

    @Command(
            description = "List policies.",
            footer = {"", "Examples:", "  forewarn policy list"})
    int list(
            @Mixin ServerCommand serverCommand,
            @Option(names = "--tenant", paramLabel = "NAME", description = "Only this tenant's.") String tenant) {
        return serverCommand.list(
                PolicyBody.class,
                Route.POLICIES,
                ServerCommand.query("tenant", tenant),
                List.of("tenant", "group", "type", "says"),
                "No policies; the service terms apply.",
                p -> List.of(p.tenant(), star(p.group()), star(p.type()), says(p)));
    }

    @Command(
            description = "Set values of a policy; values not given stay unchanged.",
            footer = {
                "",
                "Examples:",
                "  forewarn policy set --group web --window 'sat,sun 01:00 4h Europe/Berlin'",
                "  forewarn policy set --group web --type reboot --approval all --postpone 3x2h",
                "  forewarn policy set --blackout 2026-12-24..2026-12-27      for the whole tenant"
            })
    int set(
            @Mixin ServerCommand serverCommand,
            @Mixin For scope,
            @Option(names = "--notice", paramLabel = "DURATION", description = "Minimum notice, such as 30m.")
                    String notice,
            @Option(
                            names = "--approval",
                            paramLabel = "any|all|N",
                            description = "How many of the affected machines must approve; any: as Azure does.")
                    String approval,
            @Option(
                            names = "--window",
                            paramLabel = "'DAYS START LENGTH ZONE'",
                            description =
                                    "When platform work may start; may be given several times. Without a zone: in that of clock.zone. 'always' for any time.")
                    List<String> windows,
            @Option(
                            names = "--blackout",
                            paramLabel = "'FROM..TO ZONE'",
                            description =
                                    "When platform work does not start: days, or times to the minute; may be given several times. 'none' for none.")
                    List<String> blackouts,
            @Option(
                            names = "--postpone",
                            paramLabel = "NxDURATION",
                            description =
                                    "How often, and by how much in total, owners and machines may postpone an event; 'none' forbids it.")
                    String postpone,
            @Option(names = "--postpone-owner", paramLabel = "NxDURATION", description = "The same, for owners only.")
                    String owner,
            @Option(names = "--postpone-guest", paramLabel = "NxDURATION", description = "The same, for machines only.")
                    String guest,
            @Option(
                            names = "--auto-approve",
                            negatable = true,
                            description = "Restarts and redeploys requested by users start at once.")
                    Boolean autoApprove,
            @Option(
                            names = "--seen-by-all",
                            negatable = true,
                            description = "No event starts before every affected machine has seen it.")
                    Boolean seenByAll,
            @Option(
                            names = "--approve-when-all-down",
                            negatable = true,
                            description = "An event starts early if all of its machines are stopped.")
                    Boolean approveWhenAllDown,
            @Option(
                            names = "--user-operations",
                            paramLabel = "N",
                            description = "Maximum number of open restarts, redeploys and deletions of the tenant.")
                    Integer userOperations,
            @Option(
                            names = "--shown-ahead",
                            paramLabel = "DURATION",
                            description =
                                    "How long before their start machines see events of rollouts, such as 1h; at most this, but never less than their notice.")
                    String shownAhead) {
        PolicyBody request = new PolicyBody(
                scope.tenant,
                scope.group,
                scope.type,
                notice,
                autoApprove,
                approveWhenAllDown,
                approval,
                without(windows, "always"),
                without(blackouts, "none"),
                owner == null ? postpone : owner,
                guest == null ? postpone : guest,
                seenByAll,
                userOperations,
                shownAhead,
                null);
        PolicyBody policy = serverCommand.client().send(PolicyBody.class, Route.POLICY_SET, request);
        if (serverCommand.json()) {
            serverCommand.raw(Json.write(policy));
        } else {
            serverCommand.say(
                    policy.tenant() + "/" + star(policy.group()) + "/" + star(policy.type()) + "  " + says(policy));
            if (policy.warning() != null) {
                serverCommand.say("Note: " + policy.warning() + ".");
            }
        }
        return ExitCode.DONE;
    }

    @Command(
            description = "Remove a policy; the next wider one applies again.",
            footer = {
                "",
                "Examples:",
                "  forewarn policy remove --group web --type reboot",
                "  forewarn policy remove --all      the policy of the whole tenant"
            })
    int remove(
            @Mixin ServerCommand serverCommand,
            @Mixin For scope,
            @Option(names = "--all", description = "Remove the policy for all groups and types of the tenant.")
                    boolean all) {
        boolean bare = scope.group == null && scope.type == null;
        if (all && !bare) {
            throw new ParameterException(
                    serverCommand.commandLine(),
                    "--all means the policy of the whole tenant; give either --all, or --group and --type");
        }
        if (bare && !all) {
            throw new ParameterException(serverCommand.commandLine(), wouldRemove(serverCommand, scope.tenant));
        }
        Map<String, String> query =
                ServerCommand.query("tenant", scope.tenant, "group", scope.group, "type", scope.type);
        return ActionResultPrinter.changes(
                serverCommand,
                serverCommand.client().ask(CommandResultBody.class, Route.POLICY_REMOVE, List.of(), query));
    }

    /** A forgotten option must not remove the policy of a whole tenant. */
    private static String wouldRemove(ServerCommand serverCommand, String tenant) {
        List<String> meant = new ArrayList<>();
        serverCommand.client().each(PolicyBody.class, Route.POLICIES, ServerCommand.query("tenant", tenant), p -> {
            if (p.group() == null && p.type() == null) {
                meant.add(p.tenant() + " (" + says(p) + ")");
            }
        });
        return meant.isEmpty()
                ? "there is no policy for a whole tenant; use --group NAME or --type TYPE for another one"
                : "this would remove the policy of the whole tenant " + String.join(", or ", meant)
                        + "; use --all to do so, or --group NAME or --type TYPE for another one";
    }

    @Command(
            description = "Show which rule set which value of an open event, and what prevents it from starting now.",
            footer = {"", "Examples:", "  forewarn policy explain ID"})
    int explain(@Mixin ServerCommand serverCommand, @Parameters(paramLabel = "ID") String id) {
        byte[] answer = serverCommand
                .client()
                .bytes(Route.EVENT_POLICY, List.of(new EventIdResolver(serverCommand).whole(id)), Map.of());
        return serverCommand.one(ExplanationBody.class, answer, e -> {
            new PropertyList()
                    .with("event", e.event())
                    .with("type", e.type())
                    .with("group", DisplayNames.of(e.tenant(), e.group()))
                    .with("status", e.status())
                    .with("not before", DisplayNames.time(e.notBefore()))
                    .print(serverCommand.out());
            e.blockers().forEach(h -> serverCommand.say("held by  " + EventCommand.hold(h)));
            serverCommand.say("");
            Table table = new Table(serverCommand.out(), List.of("value", "is", "set by"));
            e.values().forEach(v -> table.row(List.of(v.name(), v.value(), v.source())));
            table.end();
        });
    }

    private static List<String> without(List<String> given, String none) {
        return given == null
                ? null
                : given.stream().filter(g -> !g.equals(none)).toList();
    }

    private static String star(String name) {
        return name == null ? "*" : name;
    }

    private static String says(PolicyBody policy) {
        List<String> says = new ArrayList<>();
        say(says, "notice", policy.notice());
        say(says, "approval", policy.approval());
        say(says, "auto-approve", policy.autoApprove());
        say(says, "approve-when-all-down", policy.approveWhenAllDown());
        say(says, "seen-by-all", policy.seenByAll());
        say(says, "windows", list(policy.windows(), "always"));
        say(says, "blackouts", list(policy.blackouts(), "none"));
        say(says, "postpone-owner", policy.ownerPostponements());
        say(says, "postpone-guest", policy.guestPostponements());
        say(says, "user-operations", policy.userOperations());
        say(says, "shown-ahead", policy.shownAhead());
        return String.join(" ", says);
    }

    private static String list(List<String> values, String none) {
        return values == null ? null : values.isEmpty() ? none : "'" + String.join("', '", values) + "'";
    }

    private static void say(List<String> says, String name, Object value) {
        if (value != null) {
            says.add(name + "=" + value);
        }
    }
}
