package io.forewarn.wire.control;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import java.util.Map;

/**
 * Service status.
 *
 * @param clock system or manual
 * @param now service time
 * @param clockError what is wrong with the machine's clock, if any
 * @param epoch epoch of the writer
 * @param queueDepth commands waiting for the writer
 * @param storeError the current error of the store, if there is one
 * @param events open events by status
 * @param writer control address of the writer, HOST:PORT; absent if there is no writer at present
 * @param nodes all nodes, in a cluster
 * @param lag time since this node last heard from the writer; absent on the writer itself
 * @param uptimeSeconds the uptime in seconds
 * @param lagSeconds the lag in seconds
 * @param forwardingError why this node cannot forward requests to the writer; absent if it can
 * @param etcd the members of the etcd cluster, if the store is etcd
 */
public record StatusBody(
        String version,
        boolean ready,
        String uptime,
        String clock,
        String now,
        String clockError,
        String store,
        String storeError,
        long epoch,
        int queueDepth,
        int groups,
        int machines,
        Map<String, Integer> events,
        List<String> listeners,
        @JsonInclude(JsonInclude.Include.ALWAYS) String writer,
        List<NodeBody> nodes,
        String lag,
        long uptimeSeconds,
        Double lagSeconds,
        String forwardingError,
        List<EtcdMemberBody> etcd) {}
