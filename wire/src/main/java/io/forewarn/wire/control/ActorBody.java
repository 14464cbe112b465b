package io.forewarn.wire.control;

/**
 * Who did something.
 *
 * @param kind machine, person or service
 * @param address the address the request came from
 */
public record ActorBody(String kind, String name, String address) {}
