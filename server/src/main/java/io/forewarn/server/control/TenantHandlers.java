package io.forewarn.server.control;

import io.forewarn.core.Problem;
import io.forewarn.core.Refusal;
import io.forewarn.core.engine.Desk;
import io.forewarn.core.engine.GroupView;
import io.forewarn.core.engine.View;
import io.forewarn.core.rules.Role;
import io.forewarn.core.rules.Token;
import io.forewarn.wire.control.TenantBody;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;

/** The answers about tenants. Nobody makes one: whatever names a tenant is enough for it to be. */
final class TenantHandlers {
    private final Desk desk;

    TenantHandlers(Desk desk) {
        this.desk = desk;
    }

    void tenants(Call call) {
        long limit = call.limit(Long.MAX_VALUE);
        Handlers.list(call, json -> gather(call.caller()::maySee).values().stream()
                .limit(limit)
                .forEach(t -> Handlers.write(json, t.body(false, false))));
    }

    void tenant(Call call) {
        String name = call.part(0);
        call.working(() -> {
            Gathered found =
                    gather(t -> t.equals(name) && call.caller().maySee(t)).get(name);
            if (found == null) {
                throw call.caller().maySee(name)
                        ? new Refusal(Problem.UNKNOWN_NAME, unknown(name))
                        : new Denial(Problem.UNKNOWN_NAME, unknown(name));
            }
            return found.body(true, call.caller().token().role().atLeast(Role.OWNER));
        });
    }

    private static String unknown(String name) {
        return "there is no tenant " + name + "; one comes to be with the first group, policy or token that names it";
    }

    private Map<String, Gathered> gather(Predicate<String> wanted) {
        Map<String, Gathered> tenants = new TreeMap<>();
        View view = desk.view();
        for (GroupView group : view.allGroups()) {
            if (group.group() != null && wanted.test(group.id().tenant())) {
                Gathered tenant = tenants.computeIfAbsent(group.id().tenant(), Gathered::new);
                tenant.groups.add(group.id().name());
                tenant.machines += group.machines().size();
                tenant.events += group.state().events().size();
            }
        }
        view.policies().stream().map(p -> p.scope().tenant()).filter(wanted).forEach(t -> tenants.computeIfAbsent(
                        t, Gathered::new)
                .policies++);
        for (Token token : view.tokens()) {
            if (!token.everyTenant() && wanted.test(token.tenant())) {
                tenants.computeIfAbsent(token.tenant(), Gathered::new).tokens.add(token.name());
            }
        }
        return tenants;
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

        TenantBody body(boolean names, boolean tokenNames) {
            return new TenantBody(
                    name,
                    groups.size(),
                    machines,
                    events,
                    policies,
                    tokens.size(),
                    names ? groups.stream().sorted().toList() : null,
                    tokenNames ? tokens.stream().sorted().toList() : null);
        }
    }
}
