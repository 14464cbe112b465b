package io.forewarn.wire.control;

/**
 * One node of a cluster.
 *
 * @param control where people ask it
 * @param metadata where machines ask it
 * @param release which release it is, if it says
 * @param problem why it cannot follow what is written, if so
 * @param differs by which settings it decides otherwise than the one that answers, if so
 * @param clockOff how far its clock is off the cluster's time, such as +400d, if it is more than a second
 * @param writer whether it is the one that writes
 * @param self whether it is the one that answers
 */
public record NodeBody(
        String control,
        String metadata,
        String release,
        String problem,
        String differs,
        String clockOff,
        boolean writer,
        boolean self) {}
