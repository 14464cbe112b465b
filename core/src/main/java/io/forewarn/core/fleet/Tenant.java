package io.forewarn.core.fleet;

import io.forewarn.core.StoredRecord;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/**
 * What an operator gave to a tenant and its owners cannot take themselves. A tenant without one has been given nothing, and the
 * usual quotas.
 *
 * @param addresses from which its owners may give their machines addresses, in order
 * @param hosts on which its owners may place their machines, in order
 * @param quotas how much it may have of something where that is not the usual
 */
public record Tenant(String name, List<AddressRange> addresses, List<HostPattern> hosts, Map<Quota, Long> quotas)
        implements StoredRecord {
    public static final String PREFIX = "tenant/";

    public Tenant {
        addresses = addresses.stream().distinct().sorted().toList();
        hosts = hosts.stream().distinct().sorted(Comparator.naturalOrder()).toList();
        quotas = Map.copyOf(quotas);
    }

    /** A tenant that was given nothing. */
    public static Tenant bare(String name) {
        return new Tenant(name, List.of(), List.of(), Map.of());
    }

    /** Nothing need be remembered of it. */
    public boolean isBare() {
        return addresses.isEmpty() && hosts.isEmpty() && quotas.isEmpty();
    }

    /** @param address in the one spelling of {@link Addresses} */
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
