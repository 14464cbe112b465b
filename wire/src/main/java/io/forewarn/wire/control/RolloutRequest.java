package io.forewarn.wire.control;

import java.util.List;

/**
 * A rollout to plan or to start. Exactly one of hosts, groups and tag is given.
 *
 * @param name name of the rollout; optional for a plan
 * @param type freeze, reboot or redeploy
 * @param hosts whole hosts; in names `*` stands for any characters and `?` for one, so that `*` is all of them
 * @param groups the machines of these groups, one update domain after the other; `*` and `?` as in hosts, so that
 *     `shop/*` is every group of tenant shop
 * @param tag the machines with a tag, such as env=demo
 * @param exclude what to leave out: hosts if hosts are given, or else groups; `*` and `?` as in hosts
 * @param tenants only hosts that carry a machine of one of these tenants, or only their groups; default: all
 * @param exceptTenants not the hosts that carry a machine of one of these tenants, nor their groups
 * @param notice how long before its start each machine is shown its event, such as 20m; default: the minimum for the type
 * @param recovery time between two update domains of a group; default: 30m
 * @param atOnce units in progress at a time: 10, 5% or fault-domain; default: as many as the groups allow
 * @param windows when its work may start, each such as 'sat,sun 01:00 4h Europe/Berlin', in addition to the groups'
 *     own windows; default: at any time
 * @param evacuate whether to evacuate a host with two update domains of one group first: all but one are moved away
 * @param rehearsal whether to schedule and start it as usual, but do nothing to the machines
 * @param selfServiceUntil until then owners may redeploy their machines themselves; these count as done; a time, or the
 *     next such time, as in fri 22:00 Europe/Berlin
 * @param at nothing starts before, such as fri 22:00 Europe/Berlin; default: as soon as notice allows
 * @param until no unit starts after, such as sat 06:00: the first such time after at
 * @param late what becomes of units that cannot start by then: refuse, next-window (in the same hours of a later day) or
 *     any; default: refuse
 * @param description text of the events; default: a standard text
 * @param duration how long a machine is expected to be away, such as 5s; default: from the driver
 */
public record RolloutRequest(
        String name,
        String type,
        List<String> hosts,
        List<String> groups,
        String tag,
        List<String> exclude,
        List<String> tenants,
        List<String> exceptTenants,
        String notice,
        String recovery,
        String atOnce,
        List<String> windows,
        Boolean evacuate,
        Boolean rehearsal,
        String selfServiceUntil,
        String at,
        String until,
        String late,
        String description,
        String duration) {
    /** A request that says nothing. */
    public static final RolloutRequest EMPTY = new RolloutRequest(
            null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null,
            null, null);
}
