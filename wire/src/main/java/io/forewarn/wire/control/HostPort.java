package io.forewarn.wire.control;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Represents a listen address: {@code 127.0.0.1:8170}, {@code [::1]:8170}. */
public record HostPort(String host, int port) {
    private static final Pattern FORM = Pattern.compile("(?:\\[([0-9A-Fa-f:.%a-z]+)]|([^:\\[\\]\\s/]+)):(\\d{1,5})");

    public static Optional<HostPort> parse(String text) {
        Matcher form = FORM.matcher(text);
        if (!form.matches() || Integer.parseInt(form.group(3)) > 65535) {
            return Optional.empty();
        }
        String host = form.group(1) != null ? form.group(1) : form.group(2);
        return Optional.of(new HostPort(host, Integer.parseInt(form.group(3))));
    }

    /** Whether it is reachable from this machine only. */
    public boolean loopback() {
        return host.startsWith("127.") || host.equals("localhost") || host.equals("::1");
    }

    /** Whether it means all addresses of the machine. */
    public boolean wildcard() {
        return host.equals("*")
                || literal() && (address().equals("0.0.0.0") || address().equals("0:0:0:0:0:0:0:0"));
    }

    /** Whether the host is an address or localhost, which needs no name resolution. */
    public boolean literal() {
        return host.equals("localhost") || host.equals("*") || host.contains(":") || host.matches("[0-9.]+");
    }

    /** Whether listeners on both addresses would conflict. Both must be literal. */
    public boolean meets(HostPort other) {
        return port == other.port
                && (wildcard() || other.wildcard() || address().equals(other.address()));
    }

    private String address() {
        try {
            return literal() ? InetAddress.getByName(host).getHostAddress() : host;
        } catch (UnknownHostException strange) {
            return host;
        }
    }

    @Override
    public String toString() {
        return (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
    }
}
