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

/** Lists, shows and limits tenants. */
@Command(
        name = "tenant",
        addMethodSubcommands = false,
        description = "Tenants: owners of groups and machines. Created on first use.",
        footer = {
            "",
            "Examples:",
            "  forewarn tenant list",
            "  forewarn tenant set shop --addresses 10.1.0.0/16 --hosts 'rack-7-*'",
            "  forewarn token add shop-team --role owner --tenant shop   creates the tenant and a token for its owner"
        })
final class TenantCommand {
    @Command(
            description = "List tenants and their numbers of groups, machines, events, policies and tokens.",
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

    /** Warns of a new tenant: tenants are created on first use, so a typing error would create one unnoticed. */
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
            serverCommand.warn("warning: there was no tenant '" + tenant + "' yet" + near);
        }
    }

    private static String given(List<String> ranges) {
        return ranges == null || ranges.isEmpty() ? "none" : String.join(", ", ranges);
    }

    private static List<String> quotas(TenantBody tenant) {
        List<String> all = new ArrayList<>();
        tenant.quotas().forEach((name, quota) -> all.add(quota.used() + " of " + quota.limit() + " " + name));
        return all;
    }

    @Command(
            description = "Set the addresses, hosts and quotas of a tenant. Values not given stay unchanged.",
            footer = {
                "",
                "Examples:",
                "  forewarn tenant set shop --addresses 10.1.0.0/16,fd00:7::/64 --hosts 'rack-7-*'",
                "  forewarn tenant set shop --quota machines=20000,tokens=500",
                "  forewarn tenant set shop --hosts none --quota tokens=default",
                "",
                "Owners can give their machines only addresses in these ranges, and place them only on these hosts; machines",
                "keep what they already have. Quotas are machines, groups, fleet-bytes, policies, tokens, webhooks and",
                "mail-subscriptions; they apply to owners, not to operators."
            })
    int set(
            @Mixin ServerCommand serverCommand,
            @Parameters(paramLabel = "NAME") String name,
            @Option(
                            names = "--addresses",
                            paramLabel = "CIDR",
                            split = ",",
                            description = "Address ranges for its machines; 'none' removes all.")
                    List<String> addresses,
            @Option(
                            names = "--hosts",
                            paramLabel = "GLOB",
                            split = ",",
                            description = "Hosts for its machines, with wildcards * and ?; 'none' removes all.")
                    List<String> hosts,
            @Option(
                            names = "--quota",
                            paramLabel = "WHAT=N",
                            split = ",",
                            description = "Quotas; 'default' for the default of all tenants.")
                    Map<String, String> quotas) {
        TenantCommand.warnOfNew(serverCommand, name);
        Map<String, Long> limits = new LinkedHashMap<>();
        List<String> resetQuotas = new ArrayList<>();
        for (Map.Entry<String, String> quota :
                quotas == null ? Set.<Map.Entry<String, String>>of() : quotas.entrySet()) {
            if (quota.getValue().equals("default")) {
                resetQuotas.add(quota.getKey());
            } else if (quota.getValue().matches("\\d{1,18}")) {
                limits.put(quota.getKey(), Long.parseLong(quota.getValue()));
            } else {
                throw new ParameterException(
                        serverCommand.commandLine(),
                        "--quota " + quota.getKey() + "=" + quota.getValue() + ": a number or 'default' is expected");
            }
        }
        CommandResultBody outcome = serverCommand
                .client()
                .send(
                        CommandResultBody.class,
                        Route.TENANT_SET,
                        new TenantRequest(orNone(addresses), orNone(hosts), limits, resetQuotas),
                        name);
        if (serverCommand.json()) {
            serverCommand.raw(Json.write(outcome));
        } else {
            serverCommand.say(outcome.changes() == 0 ? name + " unchanged" : name + " set");
        }
        return ExitCode.DONE;
    }

    private static List<String> orNone(List<String> given) {
        return given != null && given.equals(List.of("none")) ? List.of() : given;
    }

    @Command(
            description = "Show a tenant.",
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
