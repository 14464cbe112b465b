package io.forewarn.core;

import java.util.Objects;

/**
 * Identifies who caused something, and from where.
 *
 * @param name the machine as {@code tenant/name}, the token's name, or blank for the service itself
 * @param from the source address, or blank
 * @param limited whether the limits of owners apply to this person; used while a command is decided, and not stored
 */
public record Actor(Kind kind, String name, String from, boolean limited) {
    public enum Kind {
        MACHINE,
        PERSON,
        SERVICE
    }

    /** The service acting on its own: a deadline passed, a driver reported. */
    public static final Actor SERVICE = new Actor(Kind.SERVICE, "", "");

    public Actor {
        Objects.requireNonNull(kind);
        Objects.requireNonNull(name);
        Objects.requireNonNull(from);
    }

    public Actor(Kind kind, String name, String from) {
        this(kind, name, from, false);
    }

    public static Actor machine(String name, String from) {
        return new Actor(Kind.MACHINE, name, from);
    }

    public static Actor person(String name, String from) {
        return new Actor(Kind.PERSON, name, from);
    }

    /** A person to whom the limits of owners apply. */
    public static Actor owner(String name, String from) {
        return new Actor(Kind.PERSON, name, from, true);
    }
}
