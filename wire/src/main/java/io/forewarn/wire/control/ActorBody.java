package io.forewarn.wire.control;

/**
 * Who did something.
 *
 * @param kind machine, person or service
 * @param from the address it came from
 */
public record ActorBody(String kind, String name, String from) {}
