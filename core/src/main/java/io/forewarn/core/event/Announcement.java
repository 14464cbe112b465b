package io.forewarn.core.event;

import java.time.Instant;

/**
 * When an event was made known and when it may start by itself.
 *
 * @param at when its notice began
 * @param notBefore may move later, never earlier
 * @param commit the commit that made it durable; it can be read once that commit is published
 */
public record Announcement(Instant at, Instant notBefore, long commit) {}
