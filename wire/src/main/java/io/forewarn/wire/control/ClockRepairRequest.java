package io.forewarn.wire.control;

/**
 * The clock to trust.
 *
 * @param node control address of the node whose clock is right, HOST:PORT; default: the machine's own clock, or the
 *     majority of the nodes' clocks
 */
public record ClockRepairRequest(String node) {}
