package io.forewarn.core;

/** Numbers in keys, with leading zeros, so that keys sort like the numbers. The digits are always ASCII, whatever the locale. */
public final class ZeroPadding {
    private ZeroPadding() {}

    /** Keys are built for every lookup, and a format string would take most of the time a lookup takes. */
    public static String pad(long number, int digits) {
        String plain = Long.toString(number);
        return plain.length() >= digits ? plain : "0".repeat(digits - plain.length()) + plain;
    }
}
