package io.forewarn.records;

/**
 * Interns equal values, so that a million machines do not keep a million copies of a host's name or of the
 * same tags. The cache is bounded: a slot remembers only its last value. Threads may race for a slot; the values are
 * immutable, so the worst outcome is one copy more.
 */
final class ValueInterner {
    private static final int SLOTS = 1 << 16;

    private final Object[] slots = new Object[SLOTS];

    @SuppressWarnings("unchecked") // An equal object of an immutable value type has the same type.
    <T> T one(T value) {
        int hash = value.hashCode();
        int slot = (hash ^ hash >>> 16) & (SLOTS - 1);
        Object known = slots[slot];
        if (known != null && known.getClass() == value.getClass() && known.equals(value)) {
            return (T) known;
        }
        slots[slot] = value;
        return value;
    }
}
