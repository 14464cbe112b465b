package io.forewarn.core.fleet;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Optional;
import java.util.regex.Pattern;

/** Converts addresses to their canonical form, so that those of the fleet and the network can be compared as text. */
public final class Addresses {
    private static final int LONGEST_V4 = 15;
    private static final Pattern V6 = Pattern.compile("[0-9A-Fa-f:]*:[0-9A-Fa-f:.]*");

    private Addresses() {}

    /** The canonical form (RFC 5952) of an IPv4 or IPv6 address; empty if the text is neither. Never resolves names. */
    public static Optional<String> canonical(String text) {
        if (isV4(text)) {
            return Optional.of(text);
        }
        if (!V6.matcher(text).matches()) {
            return Optional.empty();
        }
        try {
            return Optional.of(canonical(InetAddress.getByName(text)));
        } catch (UnknownHostException e) {
            return Optional.empty();
        }
    }

    /** Four numbers without leading zeros. Not a regular expression: a fleet file may have millions of addresses. */
    private static boolean isV4(String text) {
        int dots = 0;
        int number = -1;
        for (int i = 0; i < text.length() && text.length() <= LONGEST_V4; i++) {
            char c = text.charAt(i);
            if (c == '.' && number >= 0) {
                dots++;
                number = -1;
            } else if (c >= '0' && c <= '9' && number != 0) {
                number = Math.max(number, 0) * 10 + c - '0';
            } else {
                return false;
            }
            if (number > 255) {
                return false;
            }
        }
        return dots == 3 && number >= 0;
    }

    /** An IPv4-mapped IPv6 address becomes an IPv4 address: the JDK has already converted it. */
    public static String canonical(InetAddress address) {
        return address instanceof Inet4Address ? address.getHostAddress() : shortened(address.getAddress());
    }

    private static String shortened(byte[] bytes) {
        int[] parts = new int[8];
        for (int i = 0; i < 8; i++) {
            parts[i] = (bytes[2 * i] & 0xff) << 8 | bytes[2 * i + 1] & 0xff;
        }
        int start = -1;
        int length = 1; // A single zero is not shortened.
        for (int i = 0; i < 8; i++) {
            int end = i;
            while (end < 8 && parts[end] == 0) {
                end++;
            }
            if (end - i > length) {
                start = i;
                length = end - i;
            }
        }
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < 8; i++) {
            if (i == start) {
                text.append("::");
                i += length - 1;
            } else {
                text.append(text.isEmpty() || text.charAt(text.length() - 1) == ':' ? "" : ":");
                text.append(Integer.toHexString(parts[i]));
            }
        }
        return text.toString();
    }
}
