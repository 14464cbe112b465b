package io.forewarn.server.notification;

import java.util.regex.Pattern;

/** Validates mail addresses: plain ones only, without names, comments or quotes, so that nothing can be hidden in them. */
public final class MailAddress {
    public static final String RULE = "an address such as ops@example.org";

    private static final Pattern VALID =
            Pattern.compile("[A-Za-z0-9!#$%&'*+/=?^_`{|}~.-]{1,64}@[A-Za-z0-9]([A-Za-z0-9.-]{0,251}[A-Za-z0-9])?");

    private MailAddress() {}

    public static boolean valid(String address) {
        return VALID.matcher(address).matches()
                && !address.contains("..")
                && !address.startsWith(".")
                && !address.contains(".@");
    }
}
