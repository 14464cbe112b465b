package io.forewarn.wire.control;

/**
 * A notification that could not be delivered.
 *
 * @param id its position in the log
 * @param at when the service gave up delivering it
 * @param resending whether it is being resent
 */
public record DeadLetterBody(
        String id, String kind, String event, String at, Integer attempts, String error, Boolean resending) {}
