package io.forewarn.wire.control;

/**
 * One node of a cluster.
 *
 * @param control where people ask it
 * @param metadata where machines ask it
 * @param writer whether it is the one that writes
 * @param self whether it is the one that answers
 */
public record NodeBody(String control, String metadata, boolean writer, boolean self) {}
