package io.forewarn.cli;

import io.forewarn.core.Names;
import io.forewarn.wire.control.ActorBody;

/** How things are called in front of people. */
final class Naming {
    private Naming() {}

    /** The tenant is named only where it says something. */
    static String of(String tenant, String name) {
        return name == null || tenant == null || tenant.equals(Names.DEFAULT_TENANT) ? name : tenant + "/" + name;
    }

    static String of(ActorBody actor) {
        if (actor == null) {
            return "";
        }
        String name = actor.name() == null ? actor.kind() : actor.kind() + " " + actor.name();
        return actor.from() == null ? name : name + " from " + actor.from();
    }

    /** To the second: people do not read further. */
    static String time(String instant) {
        return instant == null ? null : instant.replaceAll("\\.\\d+Z$", "Z");
    }
}
