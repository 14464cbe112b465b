package io.forewarn.wire.control;

/**
 * A postponement that was granted.
 *
 * @param by machine or person
 * @param from NotBefore before the postponement
 * @param until NotBefore after the postponement
 */
public record PostponementBody(String by, String from, String until) {}
