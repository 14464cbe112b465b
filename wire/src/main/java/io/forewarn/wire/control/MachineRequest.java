package io.forewarn.wire.control;

import java.util.List;
import java.util.Map;

/**
 * A machine of the fleet file, to add or to change. What is left out is as if a fleet file left it out.
 *
 * @param name left out, as the path says
 * @param tenant left out, as the path says
 * @param group left out for one of its own
 * @param updateDomain left out for the next in turn
 * @param faultDomain left out for the next in turn
 * @param host what it runs on
 * @param addresses by which it is known when it asks
 * @param listen an address of its own on which it asks, such as 127.0.0.1:9001
 * @param spot whether it may be taken away
 * @param tags for people and for rollouts, such as env: demo
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
