package io.forewarn.core.fleet;

/**
 * Matches host names, where {@code *} stands for any characters, even none, and {@code ?} for exactly one.
 *
 * @param text as it was written
 */
public record HostPattern(String text) implements Comparable<HostPattern> {
    /**
     * Whether it matches a host. On a mismatch only the last star takes one more character, so that no pattern costs
     * more than the product of both lengths.
     */
    public boolean matches(String host) {
        int at = 0;
        int in = 0;
        int star = -1;
        int resume = 0;
        while (in < host.length()) {
            if (at < text.length() && text.charAt(at) == '*') {
                star = at++;
                resume = in;
            } else if (at < text.length() && (text.charAt(at) == '?' || text.charAt(at) == host.charAt(in))) {
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
    public int compareTo(HostPattern other) {
        return text.compareTo(other.text);
    }

    @Override
    public String toString() {
        return text;
    }
}
