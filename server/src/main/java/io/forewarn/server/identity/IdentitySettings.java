package io.forewarn.server.identity;

import io.forewarn.core.fleet.Addresses;
import java.time.Duration;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * @param proxies addresses from which a signed header is accepted; none by default
 * @param secret secret shared with the proxies; blank if there are no proxies
 * @param untimedProxies which of identity.proxies sign without a time, as Neutron does; their signatures never expire
 * @param maxSignatureAge largest difference between the time in a signed header and this machine's clock
 */
public record IdentitySettings(
        Set<String> proxies, String secret, Set<String> untimedProxies, Duration maxSignatureAge) {
    public static final IdentitySettings DEFAULT = new IdentitySettings(Set.of(), "", Set.of(), Duration.ofMinutes(1));

    public IdentitySettings {
        proxies = proxies.stream().map(IdentitySettings::address).collect(Collectors.toUnmodifiableSet());
        untimedProxies = untimedProxies.stream().map(IdentitySettings::address).collect(Collectors.toUnmodifiableSet());
        if (!proxies.isEmpty() && secret.isBlank()) {
            throw new IllegalArgumentException("proxies are given, but no secret");
        }
        if (!proxies.containsAll(untimedProxies)) {
            throw new IllegalArgumentException("untimed-proxies contains an address that is not in proxies");
        }
    }

    private static String address(String proxy) {
        return Addresses.canonical(proxy)
                .orElseThrow(() -> new IllegalArgumentException("a proxy must be given as an address, not " + proxy));
    }

    @Override
    public String toString() {
        return "IdentitySettings[proxies=" + proxies + ", secret=***, untimedProxies=" + untimedProxies
                + ", maxSignatureAge=" + maxSignatureAge + "]";
    }
}
