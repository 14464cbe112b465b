package io.forewarn.core.fleet;

/**
 * Matches names, where {@code *} stands for any characters, even none, and {@code ?} for exactly one.
 *
 * @param text as it was written
 */
public record NamePattern(String text) implements Comparable<NamePattern> {
    /** Whether it stands for one name only. */
    public boolean isPlain() {
        return text.indexOf('*') < 0 && text.indexOf('?') < 0;
    }

    /**
     * Whether it matches a name. On a mismatch only the last star takes one more character, so that no pattern costs
     * more than the product of both lengths.
     */
    public boolean matches(String name) {
        int at = 0;
        int in = 0;
        int star = -1;
        int resume = 0;
        while (in < name.length()) {
            if (at < text.length() && text.charAt(at) == '*') {
                star = at++;
                resume = in;
            } else if (at < text.length() && (text.charAt(at) == '?' || text.charAt(at) == name.charAt(in))) {
                at++;
                in++;
            } else if (star >= 0) {
                at = star + 1;
                in = ++resume;
            } else {
                return false;
            }
        }
        while (at < text.length() && text.charAt(at) == '*') {
            at++;
        }
        return at == text.length();
    }

    @Override
    public int compareTo(NamePattern other) {
        return text.compareTo(other.text);
    }

    @Override
    public String toString() {
        return text;
    }
}
