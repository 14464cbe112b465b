package io.forewarn.core.fleet;

import java.util.Locale;

/** Lists the quotas for owners of a tenant. They do not apply to operators. */
public enum Quota {
    MACHINES("machines"),
    GROUPS("groups"),
    /** Memory of its part of the fleet, by {@link MemoryEstimate}: machines may have few or many tags. */
    FLEET_BYTES("bytes of fleet"),
    POLICIES("policies"),
    TOKENS("tokens"),
    WEBHOOKS("webhooks"),
    MAIL_SUBSCRIPTIONS("mail subscriptions");

    private final String words;

    Quota(String words) {
        this.words = words;
    }

    /** Its name in settings and commands: {@code fleet-bytes}. */
    public String key() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Its name in a sentence, after a number. */
    public String words() {
        return words;
    }
}
