package io.forewarn.core.rules;

import io.forewarn.core.access.ApiToken;
import io.forewarn.core.event.EventId;
import io.forewarn.core.event.RolloutUnitId;
import io.forewarn.core.fleet.Group;
import io.forewarn.core.fleet.GroupId;
import io.forewarn.core.fleet.Machine;
import io.forewarn.core.fleet.MachineId;
import io.forewarn.core.fleet.Quota;
import io.forewarn.core.fleet.Tenant;
import io.forewarn.core.notification.Subscription;
import io.forewarn.core.notification.SubscriptionId;
import io.forewarn.core.policy.Policy;
import io.forewarn.core.policy.Scope;
import io.forewarn.core.rollout.ActiveUnit;
import io.forewarn.core.rollout.Rollout;
import io.forewarn.core.rollout.RolloutUnitChunk;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** The state as the rules read it. */
public interface StateReader {
    Optional<Group> group(GroupId id);

    Collection<GroupId> groups();

    /** In fleet order; empty if there is no such group. */
    List<Machine> machines(GroupId group);

    Optional<Machine> machine(MachineId id);

    /** For suggestions; may be slow. */
    Collection<String> machineNames(String tenant);

    /** Which machine answers to a source address, if any. */
    Optional<MachineId> atAddress(String address);

    /** Which machine has a listener of its own there, if any. */
    Optional<MachineId> atListener(String listen);

    /** Fresh if nothing is known of the group yet. */
    GroupState state(GroupId group);

    /** Which group an open event belongs to. */
    Optional<GroupId> groupOf(EventId event);

    /** Whether the notice of a scheduled event has passed on the monotonic clock since it could be read. */
    boolean noticeOver(EventId event);

    /** When the notice of a scheduled event ends, by time in which it could be read; empty if this node does not write. */
    Optional<NoticeEnd> noticeEnd(EventId event);

    /** For how long an event could really be read; empty if that is not known. */
    Optional<Duration> readable(EventId event);

    MachineCondition condition(MachineId machine);

    /** Whether a machine still belongs to this group and was not preempted. An event keeps naming machines that left. */
    default boolean isThere(GroupId group, String machine) {
        MachineId id = new MachineId(group.tenant(), machine);
        return machine(id).filter(m -> m.group().equals(group)).isPresent()
                && condition(id).state() != MachineCondition.State.TAKEN;
    }

    int openUserOperations(String tenant);

    /** The last request of any machine of the group, or the start of the service if that is later. */
    Instant lastPoll(GroupId group);

    /** The last poll of one machine; the epoch if it never polled. */
    Instant lastPoll(MachineId machine);

    /** The last poll of one machine that would be known after a crash; the epoch if none. */
    Instant storedPoll(MachineId machine);

    /** The last polls of all machines of a group. */
    LastPolls lastPolls(GroupId group);

    /** Every machine on a host, in no particular order. */
    Collection<MachineId> machinesOn(String host);

    /** Every host that carries a machine, in order. */
    Collection<String> hosts();

    Optional<Rollout> rollout(String name);

    Collection<Rollout> rollouts();

    /** A stretch of a rollout's units. */
    RolloutUnitChunk units(String rollout, int chunk);

    /** The number of a rollout's unit by its name; empty if the rollout has no such unit. */
    OptionalInt unitNumber(String rollout, String unit);

    Optional<ActiveUnit> open(RolloutUnitId rolloutUnitId);

    /** All of a rollout that is announced or started. */
    Collection<ActiveUnit> open(String rollout);

    /** Goes up with each change of the fleet. */
    long fleetVersion();

    /** What an operator granted a tenant; empty if nothing. */
    Optional<Tenant> tenant(String name);

    /** How much of a quota a tenant uses. */
    long used(String tenant, Quota of);

    Optional<ApiToken> token(String name);

    Optional<Policy> policy(Scope scope);

    Collection<Policy> policies();

    /** A subscription by its id. */
    Optional<Subscription> recipient(SubscriptionId id);

    Collection<Subscription> recipients();

    /** Whether the dead letter with this key was recently delivered, or dropped for newer ones. */
    boolean settled(String letter);
}
