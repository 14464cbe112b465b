package io.forewarn.wire.control;

/**
 * A postponement that was granted.
 *
 * @param by machine or person
 * @param from the NotBefore it found
 * @param until the NotBefore it left
 */
public record PostponementBody(String by, String from, String until) {}
