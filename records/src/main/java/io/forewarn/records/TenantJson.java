package io.forewarn.records;

import io.forewarn.core.fleet.AddressRange;
import io.forewarn.core.fleet.NamePattern;
import io.forewarn.core.fleet.Quota;
import io.forewarn.core.fleet.Tenant;
import java.io.IOException;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Reads and writes the limits of a tenant. */
final class TenantJson {
    private TenantJson() {}

    static void write(JsonWriter out, Tenant tenant) throws IOException {
        out.text("name", tenant.name());
        out.texts("addresses", tenant.addresses());
        out.texts("hosts", tenant.hosts());
        if (!tenant.quotas().isEmpty()) {
            out.open("quotas");
            for (Map.Entry<Quota, Long> quota : new EnumMap<>(tenant.quotas()).entrySet()) {
                out.number(stored(quota.getKey()), quota.getValue());
            }
            out.close();
        }
    }

    static Tenant read(JsonReader in) throws IOException {
        String tenant = null;
        List<AddressRange> addresses = List.of();
        List<NamePattern> hosts = List.of();
        Map<Quota, Long> quotas = Map.of();
        for (String name = in.member(); name != null; name = in.member()) {
            switch (name) {
                case "name" -> tenant = in.sharedText();
                case "addresses" -> addresses = in.list(TenantJson::range);
                case "hosts" -> hosts = in.list(i -> new NamePattern(i.text()));
                case "quotas" -> quotas = quotas(in.map(JsonReader::bigNumber));
                default -> in.skip();
            }
        }
        return new Tenant(DamagedRecordException.unlessNull(tenant, "name"), addresses, hosts, quotas);
    }

    private static AddressRange range(JsonReader in) throws IOException {
        String text = in.text();
        return AddressRange.parse(text)
                .orElseThrow(() -> new DamagedRecordException("'" + text + "' is not an address range"));
    }

    private static String stored(Quota quota) {
        return quota == Quota.MAIL_SUBSCRIPTIONS ? "MAILS" : quota.name();
    }

    /** Ignores quotas that only a later release knows. */
    private static Map<Quota, Long> quotas(Map<String, Long> read) {
        Map<Quota, Long> quotas = new EnumMap<>(Quota.class);
        for (Quota quota : Arrays.asList(Quota.values())) {
            if (read.containsKey(stored(quota))) {
                quotas.put(quota, read.get(stored(quota)));
            }
        }
        return quotas;
    }
}
