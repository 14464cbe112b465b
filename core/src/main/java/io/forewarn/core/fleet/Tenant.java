package io.forewarn.core.fleet;

import io.forewarn.core.StoredRecord;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/**
 * Holds the limits that an operator set for a tenant. A tenant without this record may use no addresses and hosts, and
 * has the default quotas.
 *
 * @param addresses address ranges that its owners may use for machines, sorted
 * @param hosts hosts on which its owners may place machines, sorted
 * @param quotas quotas that differ from the defaults
 */
public record Tenant(String name, List<AddressRange> addresses, List<NamePattern> hosts, Map<Quota, Long> quotas)
        implements StoredRecord {
    public static final String PREFIX = "tenant/";

    public Tenant {
        addresses = addresses.stream().distinct().sorted().toList();
        hosts = hosts.stream().distinct().sorted(Comparator.naturalOrder()).toList();
        quotas = Map.copyOf(quotas);
    }

    /** A tenant without any limits set. */
    public static Tenant bare(String name) {
        return new Tenant(name, List.of(), List.of(), Map.of());
    }

    /** Whether it need not be stored. */
    public boolean isBare() {
        return addresses.isEmpty() && hosts.isEmpty() && quotas.isEmpty();
    }

    /** @param address in the canonical form of {@link Addresses} */
    public boolean mayTakeAddress(String address) {
        return addresses.stream().anyMatch(range -> range.contains(address));
    }

    public boolean mayPlaceOn(String host) {
        return hosts.stream().anyMatch(pattern -> pattern.matches(host));
    }

    @Override
    public String key() {
        return PREFIX + name;
    }
}
