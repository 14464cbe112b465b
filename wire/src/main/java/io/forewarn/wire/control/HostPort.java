package io.forewarn.wire.control;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Where something listens: {@code 127.0.0.1:8170}, {@code [::1]:8170}. */
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

    /** Reachable from this machine only. */
    public boolean loopback() {
        return host.startsWith("127.") || host.equals("localhost") || host.equals("::1");
    }

    /** Every address of the machine. */
    public boolean wildcard() {
        return host.equals("0.0.0.0") || host.equals("::") || host.equals("*");
    }

    @Override
    public String toString() {
        return (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
    }
}
