package io.forewarn.wire.control;

/**
 * Something that keeps an event from starting.
 *
 * @param reason the reason, as a text for people
 * @param until when it ends without further action; absent if something else must happen first
 */
public record StartBlockerBody(String reason, String until) {}
