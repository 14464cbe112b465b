package io.forewarn.wire.control;

/**
 * One node of a cluster.
 *
 * @param control address of its control API
 * @param metadata address of its metadata endpoint
 * @param version its version, if known
 * @param problem why it cannot follow the writer; absent if it can
 * @param differingSettings the settings that differ from those of the node that answers, if any
 * @param clockOffset difference between its clock and the cluster's time, such as +400d, if more than a second
 * @param writer whether it is the writer
 * @param self whether it is the node that answers
 */
public record NodeBody(
        String control,
        String metadata,
        String version,
        String problem,
        String differingSettings,
        String clockOffset,
        boolean writer,
        boolean self) {}
