package io.forewarn.wire.control;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import java.util.Map;

/**
 * How the service is.
 *
 * @param clock system or manual
 * @param now service time
 * @param clockProblem what is wrong with the machine's clock, if anything is
 * @param epoch of the writer
 * @param queue commands waiting for the writer
 * @param storeError what the store last complained of, if it still does
 * @param events open events by status
 * @param writer control of the node that writes, HOST:PORT; null if there is none at present
 * @param nodes all nodes, if there may be several
 * @param lag how long ago the writer was heard; none on the writer itself
 * @param uptimeSeconds the same as uptime, as a number
 * @param lagSeconds the same as lag, as a number
 * @param unreached why this node cannot forward anything to the writer, if so
 * @param etcd the members of the store, if it is an etcd
 */
public record StatusBody(
        String version,
        boolean ready,
        String uptime,
        String clock,
        String now,
        String clockProblem,
        String store,
        String storeError,
        long epoch,
        int queue,
        int groups,
        int machines,
        Map<String, Integer> events,
        List<String> listeners,
        @JsonInclude(JsonInclude.Include.ALWAYS) String writer,
        List<NodeBody> nodes,
        String lag,
        long uptimeSeconds,
        Double lagSeconds,
        String unreached,
        List<EtcdBody> etcd) {}
