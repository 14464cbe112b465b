package io.forewarn.wire.control;

import java.util.List;

/**
 * A rollout to plan or to start. Exactly one of hosts, groups and tag is given.
 *
 * @param name name of the rollout; optional for a plan
 * @param type freeze, reboot or redeploy
 * @param hosts whole hosts; `*` in a name stands for any characters and `?` for one, so `*` means all hosts
 * @param groups the machines of these groups, one update domain after the other; `*` and `?` work as in hosts, so `shop/*`
 *     means every group of the tenant shop
 * @param tag the machines with a tag, such as env=demo
 * @param exclude hosts to leave out if hosts are given, otherwise groups to leave out; `*` and `?` work as in hosts
 * @param tenants only the groups of these tenants, or only hosts with one of their machines; default: all
 * @param exceptTenants leave out the groups of these tenants, and hosts with any of their machines
 * @param notice how far in advance of its start an event is shown to machines, such as 20m; default: the minimum for the type
 * @param recovery time between two update domains of a group; default: 30m
 * @param atOnce how many units may be in progress at a time: 10, 5% or fault-domain; default: as many as the groups allow
 * @param windows when its work may start, such as 'sat,sun 01:00 4h Europe/Berlin'; the groups' own windows apply too;
 *     default: at any time
 * @param evacuate whether a host with several update domains of one group is evacuated first, so that only one of them is left
 * @param rehearsal whether this is a rehearsal, which is scheduled and started as usual but does nothing to the machines
 * @param selfServiceUntil the end of the period in which owners may redeploy their machines themselves; machines they redeploy count as done. A time, or fri
 *     22:00 Europe/Berlin for the next Friday
 * @param at the earliest start, such as fri 22:00 Europe/Berlin; default: as soon as notice allows
 * @param until the latest start of a unit, such as sat 06:00 for the first Saturday after `at`
 * @param late what happens to units that cannot start by `until`: refuse (the rollout is refused), next-window (they start
 *     during the same hours on a later day) or any (they start at any later time); default: refuse
 * @param description text of the events; default: a standard text
 * @param duration how long a machine is expected to be unavailable, from 0s to 7 days, such as 5s, which machines read as
 *     DurationInSeconds; default: from the driver. The plan goes by it
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
