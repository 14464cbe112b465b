package io.forewarn.wire.control;

/**
 * Something that keeps an event from starting.
 *
 * @param reason the reason, as human-readable text
 * @param until when it stops blocking by itself; absent if something else must happen first
 */
public record StartBlockerBody(String reason, String until) {}
