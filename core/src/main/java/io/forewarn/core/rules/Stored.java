package io.forewarn.core.rules;

/** Anything that is written to the store under a key of its own. */
public sealed interface Stored
        permits FleetChunk, GroupState, Condition, Polls, LogPage, Token, ClockMark, StoredPolicy {
    /** Where it lives: a path whose first part says what it is. */
    String key();
}
