package io.forewarn.wire.control;

/**
 * A notification that could not be delivered.
 *
 * @param id its position in the log
 * @param at when the service gave up delivering it
 * @param again whether it is being resent
 */
public record DeadLetterBody(
        String id, String what, String event, String at, Integer tries, String error, Boolean again) {}
