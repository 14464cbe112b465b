package io.forewarn.core;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/** Validates names and suggests the one that was probably meant. */
public final class NameRules {
    /** The tenant of everything without one. */
    public static final String DEFAULT_TENANT = "default";

    /** Describes a valid name in error messages. */
    public static final String RULE = "1 to 63 letters, digits, '.', '_' or '-', not beginning with '.' or '-'";

    private static final int LONGEST = 63;

    /** Describes a valid host name: as long as DNS allows. */
    public static final String HOST_RULE = "1 to 253 letters, digits, '.', '_' or '-', not beginning with '.' or '-'";

    private static final int LONGEST_HOST = 253;

    private NameRules() {}

    public static boolean validHost(String name) {
        return valid(name, LONGEST_HOST);
    }

    public static boolean valid(String name) {
        return valid(name, LONGEST);
    }

    /** Not a regular expression: a fleet file may have millions of names. */
    private static boolean valid(String name, int longest) {
        if (name.isEmpty() || name.length() > longest || name.charAt(0) == '.' || name.charAt(0) == '-') {
            return false;
        }
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            boolean allowed = c >= 'a' && c <= 'z'
                    || c >= 'A' && c <= 'Z'
                    || c >= '0' && c <= '9'
                    || c == '.'
                    || c == '_'
                    || c == '-';
            if (!allowed) {
                return false;
            }
        }
        return true;
    }

    /** The candidate most similar to the input, if it is similar enough to suggest. */
    public static Optional<String> nearest(String typed, Collection<String> candidates) {
        String wanted = typed.toLowerCase(Locale.ROOT);
        int tolerance = Math.max(1, wanted.length() / 3);
        return candidates.stream()
                .filter(c -> Math.abs(c.length() - wanted.length()) <= tolerance)
                .map(c -> new Near(c, distance(wanted, c.toLowerCase(Locale.ROOT))))
                .filter(n -> n.distance <= tolerance)
                .min(Comparator.comparingInt(Near::distance).thenComparing(Near::name))
                .map(Near::name);
    }

    private record Near(String name, int distance) {}

    /** The edit distance: characters to add, remove, change, or swap with their neighbor. */
    private static int distance(String a, String b) {
        int[] beforeLast = new int[b.length() + 1];
        int[] last = new int[b.length() + 1];
        int[] row = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            row[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int[] free = beforeLast;
            beforeLast = last;
            last = row;
            row = free;
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int changed = last[j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                row[j] = Math.min(changed, Math.min(last[j], row[j - 1]) + 1);
                if (i > 1 && j > 1 && a.charAt(i - 1) == b.charAt(j - 2) && a.charAt(i - 2) == b.charAt(j - 1)) {
                    row[j] = Math.min(row[j], beforeLast[j - 2] + 1);
                }
            }
        }
        return row[b.length()];
    }
}
