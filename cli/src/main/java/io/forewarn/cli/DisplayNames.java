package io.forewarn.cli;

import io.forewarn.core.NameRules;
import io.forewarn.wire.control.ActorBody;
import io.forewarn.wire.control.Durations;
import java.time.Duration;

/** Formats names, sizes and times for people. */
final class DisplayNames {
    private DisplayNames() {}

    /** Leaves out the default tenant. */
    static String of(String tenant, String name) {
        return name == null || tenant == null || tenant.equals(NameRules.DEFAULT_TENANT) ? name : tenant + "/" + name;
    }

    /** A name that begins with its tenant, such as default/web, or a unit of a rollout, such as default/web#0. */
    static String whole(String name) {
        String usual = NameRules.DEFAULT_TENANT + "/";
        return name.startsWith(usual) ? name.substring(usual.length()) : name;
    }

    static String count(long number, String what) {
        return number + " " + what + (number == 1 ? "" : "s");
    }

    /** Formats bytes in the unit that gives one to four digits. */
    static String size(long bytes) {
        return bytes < 1 << 10
                ? count(bytes, "byte")
                : bytes < 1 << 20
                        ? (bytes >> 10) + " KiB"
                        : bytes < 1L << 33 ? (bytes >> 20) + " MiB" : (bytes >> 30) + " GiB";
    }

    /** Formats a duration with two units at most: 46d1h, 1h22m, 1m30s. */
    static String length(Duration whole) {
        Duration unit = whole.toDays() > 0
                ? Duration.ofHours(1)
                : whole.toHours() > 0 ? Duration.ofMinutes(1) : Duration.ofSeconds(1);
        return Durations.print(unit.multipliedBy(whole.plus(unit.dividedBy(2)).dividedBy(unit)));
    }

    static String length(String whole) {
        return Durations.parse(whole).map(DisplayNames::length).orElse(whole);
    }

    /** The event type that machines see and its cause: {@code reboot (restart)}. */
    static String work(String type, String cause) {
        if (type == null || cause == null) {
            return cause == null ? "" : cause;
        }
        return type.equals(cause) ? type : type + " (" + cause + ")";
    }

    static String of(ActorBody actor) {
        if (actor == null) {
            return "";
        }
        String name = actor.name() == null ? actor.kind() : actor.kind() + " " + actor.name();
        return actor.address() == null ? name : name + " from " + actor.address();
    }

    /** Formats a time to the second. */
    static String time(String instant) {
        return instant == null ? null : instant.replaceAll("\\.\\d+Z$", "Z");
    }
}
