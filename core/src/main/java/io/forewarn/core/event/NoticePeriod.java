package io.forewarn.core.event;

import java.time.Instant;

/**
 * When an event was made known and when it may start by itself.
 *
 * @param at when its notice began: when it was decided, or when it could be read if that was much later
 * @param notBefore may move later, never earlier
 * @param commit the commit that first made it durable; it can be read once that commit is published
 */
public record NoticePeriod(Instant at, Instant notBefore, long commit) {}
