package io.forewarn.core.event;

import java.time.Instant;

/**
 * Holds when the notice of an event began and when it may start without approval.
 *
 * @param at when its notice began: when it was decided, or when machines could see it if that was much later
 * @param notBefore may move later, never earlier
 * @param commit the commit that first made it durable; it can be read once that commit is published
 */
public record NoticePeriod(Instant at, Instant notBefore, long commit) {}
