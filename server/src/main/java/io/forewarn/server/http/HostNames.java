package io.forewarn.server.http;

import java.util.Collection;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Checks whether a {@code Host} header, or the host of a request line, refers to this service: an address, {@code
 * localhost}, a name without a dot, or a name that is configured, each with any port. A dot at the end makes any name
 * one of the public tree, so none is taken with it. Any other name may be an attacker's that was pointed at this
 * address, so that a browser lets the attacker's page read the response (DNS rebinding).
 */
public final class HostNames {
    private static final Pattern V6 = Pattern.compile("\\[[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*(%[0-9A-Za-z]+)?](:\\d{0,5})?");
    private static final Pattern NAME = Pattern.compile("([0-9A-Za-z_-]+(?:\\.[0-9A-Za-z_-]+)*)(?::\\d{0,5})?");
    private static final Pattern V4 = Pattern.compile("((25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)(\\.(?!$)|$)){4}");

    private final Set<String> names;

    /** @param names may have {@code *} as the first label, as in certificates */
    public HostNames(Collection<String> names) {
        this.names = names.stream().map(name -> name.toLowerCase(Locale.ROOT)).collect(Collectors.toUnmodifiableSet());
    }

    public boolean accept(String host) {
        if (V6.matcher(host).matches()) {
            return true;
        }
        Matcher form = NAME.matcher(host);
        if (!form.matches()) {
            return false;
        }
        String name = form.group(1).toLowerCase(Locale.ROOT);
        int dot = name.indexOf('.');
        return dot < 0
                || V4.matcher(name).matches()
                || names.contains(name)
                || names.contains("*" + name.substring(dot));
    }
}
