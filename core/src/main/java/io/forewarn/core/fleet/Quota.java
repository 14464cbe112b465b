package io.forewarn.core.fleet;

import java.util.Locale;

/** What a tenant's owners may have so much of and no more. An operator is bound by none of these. */
public enum Quota {
    MACHINES("machines"),
    GROUPS("groups"),
    /** What its part of the fleet takes in memory, by {@link MemoryEstimate}: machines may have few or many tags. */
    FLEET_BYTES("bytes of fleet"),
    POLICIES("policies"),
    TOKENS("tokens"),
    WEBHOOKS("webhooks"),
    MAILS("mails");

    private final String words;

    Quota(String words) {
        this.words = words;
    }

    /** As settings and commands spell it: {@code fleet-bytes}. */
    public String key() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** In a sentence, after a number. */
    public String words() {
        return words;
    }
}
