package io.forewarn.core.rules;

import java.time.Instant;

/**
 * When an event may start by time, because machines will have been able to read it for long enough.
 *
 * @param byGrace it is the end of the grace period after a start, a stall or a clock jump, and not of the notice itself
 */
public record NoticeEnd(Instant at, boolean byGrace) {}
