package io.forewarn.wire.control;

/**
 * A postponement that was granted.
 *
 * @param by machine or person
 * @param from the NotBefore before it
 * @param until the NotBefore after it
 */
public record PostponementBody(String by, String from, String until) {}
