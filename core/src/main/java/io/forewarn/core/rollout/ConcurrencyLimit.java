package io.forewarn.core.rollout;

/** Limits how many units of a rollout may be active at once. */
public record ConcurrencyLimit(Kind kind, int number) {
    public static final ConcurrencyLimit ALL = new ConcurrencyLimit(Kind.PERCENT, 100);

    public enum Kind {
        COUNT,
        PERCENT,
        /** Only units in the same fault domain. */
        FAULT_DOMAIN
    }

    /** How many of so many units; at least one. */
    public int of(int units) {
        return switch (kind) {
            case COUNT -> number;
            case PERCENT -> Math.max(1, (int) ((long) units * number / 100));
            case FAULT_DOMAIN -> units;
        };
    }
}
