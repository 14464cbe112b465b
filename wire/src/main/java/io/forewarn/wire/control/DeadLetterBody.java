package io.forewarn.wire.control;

/**
 * A notification that could not be delivered.
 *
 * @param id its place in the log
 * @param at when it was given up
 * @param again whether it is being tried again
 */
public record DeadLetterBody(
        String id, String what, String event, String at, Integer tries, String error, Boolean again) {}
