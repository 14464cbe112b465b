package io.forewarn.store.sqlite;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Arrays;

/**
 * Represents the keys from {@code low}, inclusive, to {@code high}, exclusive. Keys are ordered by their UTF-8 bytes.
 *
 * @param high null if there is no end
 */
record KeyRange(String low, String high, boolean up) {
    static KeyRange upwards(String prefix, String after) {
        String low = after == null || after.isEmpty() ? prefix : later(prefix, following(after));
        return new KeyRange(low, end(prefix), true);
    }

    static KeyRange downwards(String prefix, String before) {
        String end = end(prefix);
        if (before == null || before.isEmpty()) {
            return new KeyRange(prefix, end, false);
        }
        return new KeyRange(prefix, end == null || later(before, end).equals(end) ? before : end, false);
    }

    /** The rest of the range after {@code key}. */
    KeyRange beyond(String key) {
        return up ? new KeyRange(following(key), high, true) : new KeyRange(low, key, false);
    }

    /** The least string greater than a key is the key followed by NUL. */
    private static String following(String key) {
        return key + '\0';
    }

    private static String later(String a, String b) {
        return Arrays.compareUnsigned(a.getBytes(UTF_8), b.getBytes(UTF_8)) >= 0 ? a : b;
    }

    /** The least string greater than all strings with the prefix; null if there is none. */
    private static String end(String prefix) {
        String rest = prefix;
        while (!rest.isEmpty()) {
            int last = rest.codePointBefore(rest.length());
            rest = rest.substring(0, rest.length() - Character.charCount(last));
            if (last < Character.MAX_CODE_POINT) {
                int next = last + 1 == Character.MIN_SURROGATE ? Character.MAX_SURROGATE + 1 : last + 1;
                return rest + Character.toString(next);
            }
        }
        return null;
    }
}
