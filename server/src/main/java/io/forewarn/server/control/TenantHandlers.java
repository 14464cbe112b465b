package io.forewarn.server.control;

import io.forewarn.core.Problem;
import io.forewarn.core.RefusedException;
import io.forewarn.core.access.ApiToken;
import io.forewarn.core.access.Role;
import io.forewarn.core.engine.CommandGateway;
import io.forewarn.core.engine.GroupView;
import io.forewarn.core.engine.PublishedState;
import io.forewarn.core.fleet.AddressRange;
import io.forewarn.core.fleet.NamePattern;
import io.forewarn.core.fleet.Quota;
import io.forewarn.core.fleet.Tenant;
import io.forewarn.core.rules.Command;
import io.forewarn.wire.control.CommandResultBody;
import io.forewarn.wire.control.EnumNames;
import io.forewarn.wire.control.QuotaBody;
import io.forewarn.wire.control.TenantBody;
import io.forewarn.wire.control.TenantRequest;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** Handles requests for tenants. Tenants are created on first use; an operator sets their limits. */
final class TenantHandlers {
    private final CommandGateway gateway;

    TenantHandlers(CommandGateway gateway) {
        this.gateway = gateway;
    }

    void tenants(RequestContext call) {
        long limit = call.limit(Long.MAX_VALUE);
        ControlHandlers.list(call, json -> gather(call.caller()::maySee).values().stream()
                .limit(limit)
                .forEach(t -> ControlHandlers.write(json, t.body())));
    }

    void tenant(RequestContext call) {
        String name = call.part(0);
        call.working(() -> {
            Gathered found =
                    gather(t -> t.equals(name) && call.caller().maySee(t)).get(name);
            if (found == null) {
                throw call.caller().maySee(name)
                        ? new RefusedException(Problem.NOT_FOUND, unknown(name))
                        : new AccessDeniedException(Problem.NOT_FOUND, unknown(name));
            }
            return found.body(gateway, call.caller().token().role().atLeast(Role.OWNER));
        });
    }

    private static String unknown(String name) {
        return "there is no tenant " + name + "; tenants are created on first use, by a group, policy or token";
    }

    private Map<String, Gathered> gather(Predicate<String> wanted) {
        Map<String, Gathered> tenants = new TreeMap<>();
        PublishedState published = gateway.view();
        for (GroupView group : published.allGroups()) {
            if (group.group() != null && wanted.test(group.id().tenant())) {
                Gathered tenant = tenants.computeIfAbsent(group.id().tenant(), Gathered::new);
                tenant.groups.add(group.id().name());
                tenant.machines += group.machines().size();
                tenant.events += group.state().events().size();
            }
        }
        published.policies().stream()
                .map(p -> p.scope().tenant())
                .filter(wanted)
                .forEach(t -> tenants.computeIfAbsent(t, Gathered::new).policies++);
        for (ApiToken token : published.tokens()) {
            if (!token.everyTenant() && wanted.test(token.tenant())) {
                tenants.computeIfAbsent(token.tenant(), Gathered::new).tokens.add(token.name());
            }
        }
        published.tenants().stream()
                .filter(t -> wanted.test(t.name()))
                .forEach(t -> tenants.computeIfAbsent(t.name(), Gathered::new));
        return tenants;
    }

    void set(RequestContext call) {
        TenantRequest request = call.body(TenantRequest.class, new TenantRequest(null, null, null, null));
        Map<Quota, Long> quotas = new EnumMap<>(Quota.class);
        Objects.requireNonNullElse(request.quotas(), Map.<String, Long>of()).forEach((word, most) -> {
            if (most == null) {
                throw new RefusedException(Problem.BAD_INPUT, word + " needs a number");
            }
            quotas.put(quota(word), most);
        });
        Command command = new Command.SetTenant(
                call.part(0),
                request.addresses() == null
                        ? null
                        : request.addresses().stream()
                                .map(TenantHandlers::range)
                                .toList(),
                request.hosts() == null
                        ? null
                        : request.hosts().stream().map(TenantHandlers::pattern).toList(),
                quotas,
                Objects.requireNonNullElse(request.resetQuotas(), List.<String>of()).stream()
                        .map(TenantHandlers::quota)
                        .collect(Collectors.toSet()),
                call.caller().actor());
        call.after(gateway.submit(command, call.once()), result -> new CommandResultBody(List.of(), result.changes()));
    }

    private static AddressRange range(String text) {
        return Optional.ofNullable(text)
                .flatMap(AddressRange::parse)
                .orElseThrow(() -> new RefusedException(
                        Problem.BAD_INPUT,
                        "'" + text + "' is not an address range; use 10.1.0.0/16, fd00:7::/64 or 10.1.0.4"));
    }

    private static NamePattern pattern(String text) {
        return new NamePattern(Objects.requireNonNullElse(text, ""));
    }

    private static Quota quota(String word) {
        return EnumNames.parse(Quota.class, Objects.requireNonNullElse(word, ""))
                .orElseThrow(() -> new RefusedException(
                        Problem.BAD_INPUT,
                        "there is no quota '" + word + "'; quotas are "
                                + EnumNames.either(EnumNames.all(Quota.class))));
    }

    private static final class Gathered {
        private final String name;
        private final List<String> groups = new ArrayList<>();
        private final List<String> tokens = new ArrayList<>();
        private int machines;
        private int events;
        private int policies;

        Gathered(String name) {
            this.name = name;
        }

        /** The tenant with its limits and usage. */
        TenantBody body(CommandGateway gateway, boolean tokenNames) {
            PublishedState published = gateway.view();
            Tenant given = published.tenant(name).orElseGet(() -> Tenant.bare(name));
            Map<String, QuotaBody> quotas = new LinkedHashMap<>();
            for (Quota quota : Quota.values()) {
                quotas.put(
                        EnumNames.of(quota),
                        new QuotaBody(
                                published.used(name, quota),
                                gateway.rules().owners().quota(published, name, quota),
                                !given.quotas().containsKey(quota)));
            }
            return new TenantBody(
                    name,
                    groups.size(),
                    machines,
                    events,
                    policies,
                    tokens.size(),
                    groups.stream().sorted().toList(),
                    tokenNames ? tokens.stream().sorted().toList() : null,
                    given.addresses().stream().map(AddressRange::toString).toList(),
                    given.hosts().stream().map(NamePattern::text).toList(),
                    quotas);
        }

        TenantBody body() {
            return new TenantBody(
                    name, groups.size(), machines, events, policies, tokens.size(), null, null, null, null, null);
        }
    }
}
