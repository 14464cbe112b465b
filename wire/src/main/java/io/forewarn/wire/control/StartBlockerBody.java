package io.forewarn.wire.control;

/**
 * Something that keeps an event from starting.
 *
 * @param why for people
 * @param until when it ends by itself; absent if something else must happen first
 */
public record StartBlockerBody(String why, String until) {}
