package io.forewarn.cli;

import io.forewarn.core.NameRules;
import io.forewarn.wire.control.CommandResultBody;
import io.forewarn.wire.control.Json;
import io.forewarn.wire.control.Route;
import io.forewarn.wire.control.TenantBody;
import io.forewarn.wire.control.TenantRequest;
import io.forewarn.wire.control.TokenBody;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/** Tenants. */
@Command(
        name = "tenant",
        addMethodSubcommands = false,
        description = "Tenants: who owns groups and machines. One comes to be with the first thing that names it.",
        footer = {
            "",
            "Examples:",
            "  forewarn tenant list",
            "  forewarn tenant set shop --addresses 10.1.0.0/16 --hosts 'rack-7-*'",
            "  forewarn token add shop-team --role owner --tenant shop   gives its owner a token, and it exists"
        })
final class TenantCommand {
    @Command(
            description = "Lists tenants and how much each has.",
            footer = {"", "Examples:", "  forewarn tenant list"})
    int list(@Mixin ServerCommand serverCommand) {
        return serverCommand.list(
                TenantBody.class,
                Route.TENANTS,
                Map.of(),
                List.of("name", "groups", "machines", "open events", "policies", "tokens"),
                "No tenants.",
                t -> List.of(
                        t.name(),
                        String.valueOf(t.groups()),
                        String.valueOf(t.machines()),
                        String.valueOf(t.events()),
                        String.valueOf(t.policies()),
                        String.valueOf(t.tokens())));
    }

    /** Nobody makes tenants, so a slip of the pen would make one unseen, or look where nothing is. */
    static void warnOfNew(ServerCommand serverCommand, String tenant) {
        if (tenant == null || tenant.equals(TokenBody.EVERY_TENANT)) {
            return;
        }
        Set<String> known = new TreeSet<>();
        try {
            serverCommand.client().each(TenantBody.class, Route.TENANTS, Map.of(), t -> known.add(t.name()));
        } catch (CommandRefusedException mayNotSee) {
            return;
        }
        if (!known.contains(tenant)) {
            String near = NameRules.nearest(tenant, known)
                    .map(name -> "; did you mean '" + name + "'?")
                    .orElse("");
            serverCommand.warn("warning: nothing names a tenant '" + tenant + "' yet" + near);
        }
    }

    private static String given(List<String> ranges) {
        return ranges == null || ranges.isEmpty() ? "none" : String.join(", ", ranges);
    }

    private static List<String> quotas(TenantBody tenant) {
        List<String> all = new ArrayList<>();
        tenant.quotas().forEach((name, quota) -> all.add(quota.used() + " of " + quota.most() + " " + name));
        return all;
    }

    @Command(
            description = "Gives a tenant what its owners cannot take themselves. What is not named stays as it is.",
            footer = {
                "",
                "Examples:",
                "  forewarn tenant set shop --addresses 10.1.0.0/16,fd00:7::/64 --hosts 'rack-7-*'",
                "  forewarn tenant set shop --quota machines=20000,tokens=500",
                "  forewarn tenant set shop --hosts none --quota tokens=usual",
                "",
                "Owners give their machines only addresses of these ranges, and place them only on these hosts; what a",
                "machine has already it keeps. Quotas are machines, groups, fleet-bytes, policies, tokens, webhooks and",
                "mails; they bind owners, not operators."
            })
    int set(
            @Mixin ServerCommand serverCommand,
            @Parameters(paramLabel = "NAME") String name,
            @Option(
                            names = "--addresses",
                            paramLabel = "CIDR",
                            split = ",",
                            description = "From which its machines may have addresses; none takes all back.")
                    List<String> addresses,
            @Option(
                            names = "--hosts",
                            paramLabel = "GLOB",
                            split = ",",
                            description =
                                    "On which its machines may be; * and ? stand for letters, none takes all back.")
                    List<String> hosts,
            @Option(
                            names = "--quota",
                            paramLabel = "WHAT=N",
                            split = ",",
                            description = "How much it may have of something; usual for what all may.")
                    Map<String, String> quotas) {
        TenantCommand.warnOfNew(serverCommand, name);
        Map<String, Long> most = new LinkedHashMap<>();
        List<String> usual = new ArrayList<>();
        for (Map.Entry<String, String> quota :
                quotas == null ? Set.<Map.Entry<String, String>>of() : quotas.entrySet()) {
            if (quota.getValue().equals("usual")) {
                usual.add(quota.getKey());
            } else if (quota.getValue().matches("\\d{1,18}")) {
                most.put(quota.getKey(), Long.parseLong(quota.getValue()));
            } else {
                throw new ParameterException(
                        serverCommand.commandLine(),
                        "--quota " + quota.getKey() + "=" + quota.getValue() + ": a number or 'usual' is expected");
            }
        }
        CommandResultBody outcome = serverCommand
                .client()
                .send(
                        CommandResultBody.class,
                        Route.TENANT_SET,
                        new TenantRequest(orNone(addresses), orNone(hosts), most, usual),
                        name);
        if (serverCommand.json()) {
            serverCommand.raw(Json.write(outcome));
        } else {
            serverCommand.say(outcome.changes() == 0 ? name + " is as it was" : name + " set");
        }
        return ExitCode.DONE;
    }

    private static List<String> orNone(List<String> given) {
        return given != null && given.equals(List.of("none")) ? List.of() : given;
    }

    @Command(
            description = "Shows what one tenant has.",
            footer = {"", "Examples:", "  forewarn tenant show shop"})
    int show(@Mixin ServerCommand serverCommand, @Parameters(paramLabel = "NAME") String name) {
        byte[] answer = serverCommand.client().bytes(Route.TENANT, List.of(name), Map.of());
        return serverCommand.one(TenantBody.class, answer, t -> new PropertyList()
                .with("name", t.name())
                .with("groups", t.groupNames())
                .with("machines", t.machines())
                .with("open events", t.events())
                .with("policies", t.policies())
                .with("tokens", t.tokenNames() == null ? t.tokens() : t.tokenNames())
                .with("may take addresses", given(t.addresses()))
                .with("may use hosts", given(t.hosts()))
                .with("quotas", quotas(t))
                .print(serverCommand.out()));
    }
}
