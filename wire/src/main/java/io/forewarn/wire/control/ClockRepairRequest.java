package io.forewarn.wire.control;

/**
 * Which clock is right.
 *
 * @param node control of the node whose clock that is, HOST:PORT; left out for the machine's own, or what most nodes' clocks say
 */
public record ClockRepairRequest(String node) {}
