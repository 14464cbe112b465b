package io.forewarn.server.notification;

import io.forewarn.core.Problem;
import io.forewarn.core.RefusedException;
import io.forewarn.core.fleet.Addresses;
import java.net.InetAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Decides where webhooks may go. A user who can create one must not be able to use the service to reach what only its machine
 * can reach, so addresses outside the public internet are refused unless the operator lists them.
 */
public final class WebhookTargetPolicy {
    private static final int LONGEST = 2000;

    /** Networks that are not reachable from outside, with a description. */
    private static final Map<CidrBlock, String> CLOSED = closed();

    private final List<CidrBlock> allowed;

    public WebhookTargetPolicy(List<String> allowed) {
        this.allowed = allowed.stream().map(CidrBlock::parse).toList();
    }

    /** @throws RefusedException if it cannot be the address of a receiver, or if the receiver is not allowed */
    public URI check(String url) {
        if (url == null || url.isBlank()) {
            throw wrong("no URL is given; use one such as https://hooks.example.org/forewarn");
        }
        if (url.length() > LONGEST) {
            throw wrong("the URL has " + url.length() + " characters; " + LONGEST + " are the most");
        }
        schemeless(url).ifPresent(whole -> {
            throw wrong("'" + shown(url) + "' has no scheme; put https:// in front: " + whole);
        });
        URI uri = parse(url);
        if (!"https".equalsIgnoreCase(uri.getScheme()) && !"http".equalsIgnoreCase(uri.getScheme())) {
            throw wrong("the URL must begin with https:// or http://, not '" + uri.getScheme() + ":'");
        }
        if (uri.getRawUserInfo() != null) {
            throw wrong("the URL contains a user; webhooks are authenticated by their signature, leave the user out");
        }
        if (uri.getHost() == null || uri.getHost().isBlank()) {
            throw wrong("the URL has no host; use one such as https://hooks.example.org/forewarn");
        }
        if (uri.getRawFragment() != null) {
            throw wrong("the URL has a part after '#', which is never sent; leave it out");
        }
        if (uri.getPort() == 0 || uri.getPort() > 65535) {
            throw wrong("the URL's port must be 1 to 65535, not " + uri.getPort());
        }
        literal(host(uri)).ifPresent(this::mustAllow);
        return uri;
    }

    /** The URL that was meant, if only its beginning is missing. */
    private static Optional<URI> schemeless(String url) {
        if (url.contains("://") || url.matches("(?i)https?:.*")) {
            return Optional.empty();
        }
        try {
            URI whole = new URI("https://" + url).parseServerAuthority();
            boolean meant = whole.getHost() != null && whole.getRawUserInfo() == null;
            return meant ? Optional.of(whole) : Optional.empty();
        } catch (URISyntaxException somethingElse) {
            return Optional.empty();
        }
    }

    private static URI parse(String url) {
        try {
            return new URI(url).parseServerAuthority();
        } catch (URISyntaxException malformed) {
            throw wrong("'" + shown(url) + "' is not a URL: " + malformed.getReason()
                    + "; use one such as https://hooks.example.org/forewarn");
        }
    }

    private static String shown(String url) {
        return url.replaceAll("\\p{Cntrl}", "?");
    }

    /** Without the brackets of an IPv6 address. */
    static String host(URI url) {
        String host = url.getHost();
        return host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
    }

    static int port(URI url) {
        return url.getPort() > 0 ? url.getPort() : url.getScheme().equalsIgnoreCase("https") ? 443 : 80;
    }

    /** An address written as such; a name that must be looked up is none. */
    static Optional<InetAddress> literal(String host) {
        try {
            return Addresses.canonical(host).isPresent() ? Optional.of(InetAddress.getByName(host)) : Optional.empty();
        } catch (UnknownHostException impossible) {
            return Optional.empty();
        }
    }

    /** Resolves a name, which may take long. Every address must be allowed, because any of them may be used. */
    public List<InetAddress> lookUp(String host) throws UnknownHostException {
        List<InetAddress> addresses = List.of(InetAddress.getAllByName(host));
        addresses.forEach(this::mustAllow);
        return addresses;
    }

    /** @throws RefusedException unless webhooks may go there */
    public void mustAllow(InetAddress address) {
        why(address).ifPresent(why -> {
            throw wrong(Addresses.canonical(address) + " is " + why
                    + "; webhooks may be sent there only if the operator lists it in notifications.allowed-targets");
        });
    }

    private Optional<String> why(InetAddress address) {
        byte[] bytes = address.getAddress();
        if (allowed.stream().anyMatch(block -> block.contains(bytes))) {
            return Optional.empty();
        }
        Optional<String> closed = CLOSED.entrySet().stream()
                .filter(e -> e.getKey().contains(bytes))
                .map(Map.Entry::getValue)
                .findFirst();
        return closed.isPresent() ? closed : inside(bytes).flatMap(this::why);
    }

    /** The IPv4 address that an IPv6 address stands for: mapped, compatible, translated or tunnelled. */
    private static Optional<InetAddress> inside(byte[] bytes) {
        if (bytes.length != 16) {
            return Optional.empty();
        }
        boolean zeros = true;
        for (int i = 0; i < 10; i++) {
            zeros &= bytes[i] == 0;
        }
        boolean mapped = zeros && bytes[10] == bytes[11] && (bytes[10] == 0 || bytes[10] == (byte) 0xff);
        boolean translated = bytes[0] == 0 && bytes[1] == 0x64 && bytes[2] == (byte) 0xff && bytes[3] == (byte) 0x9b;
        boolean sixToFour = bytes[0] == 0x20 && bytes[1] == 0x02;
        try {
            if (mapped || translated) {
                return Optional.of(InetAddress.getByAddress(Arrays.copyOfRange(bytes, 12, 16)));
            }
            return sixToFour
                    ? Optional.of(InetAddress.getByAddress(Arrays.copyOfRange(bytes, 2, 6)))
                    : Optional.empty();
        } catch (UnknownHostException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private static Map<CidrBlock, String> closed() {
        Map<CidrBlock, String> closed = new LinkedHashMap<>();
        List.of("127.0.0.0/8", "::1").forEach(n -> closed.put(CidrBlock.parse(n), "loopback"));
        List.of("0.0.0.0/8", "::").forEach(n -> closed.put(CidrBlock.parse(n), "unspecified"));
        List.of("169.254.0.0/16", "fe80::/10").forEach(n -> closed.put(CidrBlock.parse(n), "link-local"));
        List.of("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7", "fec0::/10", "100.64.0.0/10")
                .forEach(n -> closed.put(CidrBlock.parse(n), "private"));
        List.of("224.0.0.0/4", "ff00::/8").forEach(n -> closed.put(CidrBlock.parse(n), "multicast"));
        List.of(
                        "192.0.0.0/24",
                        "192.0.2.0/24",
                        // The anycast relays of 6to4, which would pass on what the tunnelled address says.
                        "192.88.99.0/24",
                        "198.18.0.0/15",
                        "198.51.100.0/24",
                        "203.0.113.0/24",
                        "240.0.0.0/4",
                        // Translators between IPv4 and IPv6: stateless (RFC 2765) and of one's own network (RFC 8215).
                        "::ffff:0:0:0/96",
                        "64:ff9b:1::/48",
                        "100::/64",
                        "2001::/32",
                        "2001:db8::/32",
                        "3fff::/20")
                .forEach(n -> closed.put(CidrBlock.parse(n), "reserved"));
        return closed;
    }

    private static RefusedException wrong(String sentence) {
        return new RefusedException(Problem.BAD_INPUT, sentence);
    }
}
