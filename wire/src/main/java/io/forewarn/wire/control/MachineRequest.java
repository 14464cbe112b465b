package io.forewarn.wire.control;

import java.util.List;
import java.util.Map;

/**
 * A machine of the fleet file, to add or to change. An omitted member has the same effect as in a fleet file.
 *
 * @param name may be omitted, because the path contains it
 * @param tenant may be omitted, because the path contains it
 * @param group default: a group of its own
 * @param updateDomain default: the next number in turn
 * @param faultDomain default: the next number in turn
 * @param host the host it runs on
 * @param addresses source addresses that identify it
 * @param listen a listen address for this machine alone, such as 127.0.0.1:9001
 * @param spot whether it is a spot machine, which may be preempted
 * @param tags tags, by which people and rollouts can select machines, such as env: demo
 */
public record MachineRequest(
        String name,
        String tenant,
        String group,
        Integer updateDomain,
        Integer faultDomain,
        String host,
        List<String> addresses,
        String listen,
        Boolean spot,
        Map<String, String> tags) {}
