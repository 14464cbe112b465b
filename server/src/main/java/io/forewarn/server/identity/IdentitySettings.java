package io.forewarn.server.identity;

import java.util.Set;

/**
 * @param proxies addresses from which a signed header is believed; none by default
 * @param secret shared with the proxies; blank if there are none
 */
public record IdentitySettings(Set<String> proxies, String secret) {
    public static final IdentitySettings DEFAULT = new IdentitySettings(Set.of(), "");

    public IdentitySettings {
        proxies = Set.copyOf(proxies);
        if (!proxies.isEmpty() && secret.isBlank()) {
            throw new IllegalArgumentException("Proxies are named but no secret is shared with them");
        }
    }

    @Override
    public String toString() {
        return "IdentitySettings[proxies=" + proxies + ", secret=***]";
    }
}
