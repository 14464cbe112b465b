package io.forewarn.core.rules;

import io.forewarn.core.NameRules;
import io.forewarn.core.Problem;
import io.forewarn.core.RefusedException;
import io.forewarn.core.fleet.NamePattern;
import io.forewarn.core.fleet.Quota;
import io.forewarn.core.fleet.Tenant;
import io.forewarn.core.history.HistoryEntry;
import io.forewarn.core.rules.Command.SetTenant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Records what an operator grants a tenant. */
final class TenantRules {
    /** So that one tenant fits into one record of any store, and looking at what it was given stays quick. */
    static final int MOST_GIVEN = 256;

    static final int LONGEST_PATTERN = 256;

    private final DecisionContext context;

    TenantRules(DecisionContext context) {
        this.context = context;
    }

    /** Sets the given values; values that are not given stay. */
    CommandResult set(SetTenant command) {
        check(command);
        Tenant before = context.changes().tenant(command.tenant()).orElse(Tenant.bare(command.tenant()));
        Map<Quota, Long> quotas = new HashMap<>(before.quotas());
        quotas.putAll(command.quotas());
        quotas.keySet().removeAll(command.usual());
        Tenant after = new Tenant(
                command.tenant(),
                command.addresses() == null ? before.addresses() : command.addresses(),
                command.hosts() == null ? before.hosts() : command.hosts(),
                quotas);
        if (after.equals(before)) {
            return CommandResult.NOTHING;
        }
        context.changes().put(after);
        context.changes()
                .note(new HistoryEntry(
                        context.now(),
                        HistoryEntry.What.TENANT_SET.name(),
                        null,
                        null,
                        null,
                        List.of(),
                        command.actor(),
                        null,
                        null,
                        null,
                        command.tenant()));
        return new CommandResult(List.of(), 1);
    }

    private static void check(SetTenant command) {
        if (!NameRules.valid(command.tenant())) {
            throw new RefusedException(
                    Problem.BAD_INPUT, "tenant name '" + command.tenant() + "' is not valid: " + NameRules.RULE);
        }
        boolean silent = command.addresses() == null
                && command.hosts() == null
                && command.quotas().isEmpty()
                && command.usual().isEmpty();
        if (silent) {
            throw new RefusedException(Problem.BAD_INPUT, "no value is given for the tenant; set at least one");
        }
        if (command.addresses() != null && command.addresses().size() > MOST_GIVEN
                || command.hosts() != null && command.hosts().size() > MOST_GIVEN) {
            throw new RefusedException(
                    Problem.BAD_INPUT, "a tenant is given at most " + MOST_GIVEN + " ranges and as many patterns");
        }
        for (NamePattern pattern : command.hosts() == null ? List.<NamePattern>of() : command.hosts()) {
            if (pattern.text().isBlank() || pattern.text().length() > LONGEST_PATTERN) {
                throw new RefusedException(
                        Problem.BAD_INPUT,
                        "a pattern for hosts has from 1 to " + LONGEST_PATTERN + " characters, such as rack-7-*");
            }
        }
        command.quotas().forEach((quota, most) -> {
            if (most < 0) {
                throw new RefusedException(Problem.BAD_INPUT, "a tenant cannot have " + most + " " + quota.words());
            }
        });
    }
}
