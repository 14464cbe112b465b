package io.forewarn.server.identity;

import io.forewarn.core.fleet.Addresses;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * @param proxies addresses from which a signed header is believed; none by default
 * @param secret shared with the proxies; blank if there are none
 */
public record IdentitySettings(Set<String> proxies, String secret) {
    public static final IdentitySettings DEFAULT = new IdentitySettings(Set.of(), "");

    public IdentitySettings {
        proxies = proxies.stream().map(IdentitySettings::address).collect(Collectors.toUnmodifiableSet());
        if (!proxies.isEmpty() && secret.isBlank()) {
            throw new IllegalArgumentException("proxies are named but no secret is shared with them");
        }
    }

    private static String address(String proxy) {
        return Addresses.canonical(proxy)
                .orElseThrow(() -> new IllegalArgumentException("a proxy is named by its address, not " + proxy));
    }

    @Override
    public String toString() {
        return "IdentitySettings[proxies=" + proxies + ", secret=***]";
    }
}
