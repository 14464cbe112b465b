package io.forewarn.wire.control;

import java.util.List;

/**
 * A rollout to be planned or started. Exactly one of hosts, groups and tag is given.
 *
 * @param name how it is called; a plan needs none
 * @param type freeze, reboot or redeploy
 * @param hosts whole hosts; `*` for all there are
 * @param groups the machines of these groups, one update domain after the other
 * @param tag the machines that carry a tag, such as env=demo
 * @param notice such as 20m; left out for the least the type allows
 * @param recovery rest between two update domains of a group; left out for the usual 30m
 * @param atOnce how many units together: 10, 5% or fault-domain; left out for as many as the groups allow
 * @param windows in which its work may start, each such as 'sat,sun 01:00 4h Europe/Berlin', beside the groups' own; left out for any time
 * @param evacuate a host with two update domains of one group is evacuated first: all but one are moved away
 * @param rehearsal scheduled and started like the real thing; nothing is done to the machines
 * @param selfServiceUntil until then owners may redeploy their machines themselves, which then count as done
 * @param description what the events say of themselves; left out for the usual words
 * @param duration how long a machine is expected to be away, such as 5s; left out for what the driver says
 */
public record RolloutRequest(
        String name,
        String type,
        List<String> hosts,
        List<String> groups,
        String tag,
        String notice,
        String recovery,
        String atOnce,
        List<String> windows,
        Boolean evacuate,
        Boolean rehearsal,
        String selfServiceUntil,
        String description,
        String duration) {}
