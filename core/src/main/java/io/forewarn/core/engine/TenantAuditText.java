package io.forewarn.core.engine;

import io.forewarn.core.fleet.Quota;
import io.forewarn.core.rules.Command.SetTenant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Describes what a tenant was granted, in the short form used in the audit log. */
final class TenantAuditText {
    private static final int NAMED = 8;

    private TenantAuditText() {}

    static String of(SetTenant set) {
        List<String> values = new ArrayList<>();
        if (set.addresses() != null) {
            values.add("addresses " + list(set.addresses()));
        }
        if (set.hosts() != null) {
            values.add("hosts " + list(set.hosts()));
        }
        new TreeMap<>(set.quotas()).forEach((quota, most) -> values.add(most + " " + quota.words()));
        for (Quota quota : new TreeSet<>(set.usual())) {
            values.add("the usual " + quota.words());
        }
        return String.join("; ", values);
    }

    private static String list(Collection<?> given) {
        if (given.isEmpty()) {
            return "none";
        }
        String some = given.stream().limit(NAMED).map(Object::toString).collect(Collectors.joining(", "));
        return given.size() <= NAMED ? some : some + " and " + (given.size() - NAMED) + " more";
    }
}
