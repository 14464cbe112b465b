package io.forewarn.cli;

import io.forewarn.core.Names;
import io.forewarn.wire.control.Route;
import io.forewarn.wire.control.TenantBody;
import io.forewarn.wire.control.TokenBody;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
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
            "  forewarn token add shop-team --role owner --tenant shop   gives its owner a token, and it exists"
        })
final class TenantCommand {
    @Command(
            description = "Lists tenants and how much each has.",
            footer = {"", "Examples:", "  forewarn tenant list"})
    int list(@Mixin Asking asking) {
        return asking.list(
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
    static void warnOfNew(Asking asking, String tenant) {
        if (tenant == null || tenant.equals(TokenBody.EVERY_TENANT)) {
            return;
        }
        Set<String> known = new TreeSet<>();
        try {
            asking.client().each(TenantBody.class, Route.TENANTS, Map.of(), t -> known.add(t.name()));
        } catch (Refused mayNotSee) {
            return;
        }
        if (!known.contains(tenant)) {
            String near = Names.nearest(tenant, known)
                    .map(name -> "; did you mean '" + name + "'?")
                    .orElse("");
            asking.err().println("warning: nothing names a tenant '" + tenant + "' yet" + near);
        }
    }

    @Command(
            description = "Shows what one tenant has.",
            footer = {"", "Examples:", "  forewarn tenant show shop"})
    int show(@Mixin Asking asking, @Parameters(paramLabel = "NAME") String name) {
        byte[] answer = asking.client().bytes(Route.TENANT, List.of(name), Map.of());
        return asking.one(TenantBody.class, answer, t -> new Facts()
                .with("name", t.name())
                .with("groups", t.groupNames())
                .with("machines", t.machines())
                .with("open events", t.events())
                .with("policies", t.policies())
                .with("tokens", t.tokenNames() == null ? t.tokens() : t.tokenNames())
                .print(asking.out()));
    }
}
