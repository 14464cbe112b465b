package io.forewarn.core.rules;

import io.forewarn.core.Actor;
import io.forewarn.core.LostCommits;
import io.forewarn.core.Problem;
import io.forewarn.core.access.ApiToken;
import io.forewarn.core.event.Cause;
import io.forewarn.core.event.EventId;
import io.forewarn.core.fleet.AddressRange;
import io.forewarn.core.fleet.FleetChange;
import io.forewarn.core.fleet.GroupId;
import io.forewarn.core.fleet.MachineId;
import io.forewarn.core.fleet.NamePattern;
import io.forewarn.core.fleet.Quota;
import io.forewarn.core.notification.DeadLetter;
import io.forewarn.core.notification.DeliveryCursor;
import io.forewarn.core.notification.Subscription;
import io.forewarn.core.notification.SubscriptionId;
import io.forewarn.core.policy.Policy;
import io.forewarn.core.policy.Scope;
import io.forewarn.core.rollout.PreparedRollout;
import io.forewarn.core.rollout.RolloutSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/** Lists all commands of the writer. Commands are atomic: each is carried out, or is refused and changes nothing. */
public sealed interface Command {
    Actor actor();

    /**
     * Maintenance on machines, one event each.
     *
     * @param notice null for the least the type allows
     * @param description null for the cause's own
     * @param interruption how long a machine is expected to be unavailable; null for the driver's estimate
     * @param rehearsal nothing is done to the machines
     */
    record Schedule(
            Cause cause,
            List<MachineId> machines,
            Duration notice,
            String description,
            Duration interruption,
            boolean rehearsal,
            Actor actor)
            implements Command {
        public Schedule {
            machines = List.copyOf(machines);
        }

        /** With the driver's estimate of the interruption. */
        public Schedule(
                Cause cause,
                List<MachineId> machines,
                Duration notice,
                String description,
                boolean rehearsal,
                Actor actor) {
            this(cause, machines, notice, description, null, rehearsal, actor);
        }

        public Schedule(Cause cause, List<MachineId> machines, Duration notice, String description, Actor actor) {
            this(cause, machines, notice, description, null, false, actor);
        }
    }

    /**
     * Approves events.
     *
     * @param group the only group whose events the caller may name; null for a person who may name any
     * @param reason why, in the words of the actor; blank if none was given
     */
    record Approve(GroupId group, List<EventId> events, String reason, Actor actor) implements Command {
        public Approve {
            events = List.copyOf(events);
        }

        public Approve(GroupId group, List<EventId> events, Actor actor) {
            this(group, events, "", actor);
        }
    }

    /** One machine is ready for its events: an approval, counted where one is not enough. */
    record Ready(GroupId group, String machine, List<EventId> events, Actor actor) implements Command {
        public Ready {
            events = List.copyOf(events);
        }
    }

    /**
     * Postpones an event. One of {@code until} and {@code by}, which counts from the present NotBefore, is null.
     *
     * @param group the only group whose events the caller may name; null for a person who may name any
     * @param reason why, in the words of the actor; blank if none was given
     */
    record Postpone(GroupId group, EventId event, Instant until, Duration by, String reason, Actor actor)
            implements Command {
        public Postpone(GroupId group, EventId event, Instant until, Duration by, Actor actor) {
            this(group, event, until, by, "", actor);
        }
    }

    /** A machine is well again after work on it. */
    record Recovered(GroupId group, String machine, Actor actor) implements Command {}

    /** Sets the given values for the policy's scope; omitted values stay unchanged. */
    record SetPolicy(Policy policy, Actor actor) implements Command {}

    record RemovePolicy(Scope scope, Actor actor) implements Command {}

    /** @param reason why, in the words of the actor; blank if none was given */
    record Cancel(EventId event, String reason, Actor actor) implements Command {
        public Cancel(EventId event, Actor actor) {
            this(event, "", actor);
        }
    }

    /** A machine of the group made its first request, or the first after a long silence. */
    record Enable(GroupId group, Actor actor) implements Command {}

    /** A machine received a document. {@code shown} are the events visible in its api-version. */
    record Sight(GroupId group, String machine, Set<EventId> shown, Instant at, Actor actor) implements Command {
        public Sight {
            shown = Set.copyOf(shown);
        }
    }

    /** A driver's report. Reports on any but the current attempt are ignored. */
    record Told(EventId event, int attempt, DriverReport report, String detail) implements Command {
        @Override
        public Actor actor() {
            return Actor.SERVICE;
        }
    }

    /**
     * A deadline of a group has passed, or something may have changed for it.
     *
     * @param byTime whether nothing happened but that time passed: then units whose turn has not come are as they were
     */
    record Due(GroupId group, boolean byTime) implements Command {
        @Override
        public Actor actor() {
            return Actor.SERVICE;
        }
    }

    /** Announcements could be read only {@code delay} after they were made: their NotBefore moves by as much. */
    record Delayed(GroupId group, Set<EventId> events, Duration delay) implements Command {
        public Delayed {
            events = Set.copyOf(events);
        }

        @Override
        public Actor actor() {
            return Actor.SERVICE;
        }
    }

    /** The store lost documents up to this incarnation that machines had read: the group continues counting from there. */
    record RaiseIncarnation(GroupId group, long seen) implements Command {
        @Override
        public Actor actor() {
            return Actor.SERVICE;
        }
    }

    /**
     * A machine came to its host with a change of the fleet that was too large for one commit.
     *
     * @param at see {@link MachineCondition#arrived}
     */
    record Arrive(MachineId machine, Instant at) implements Command {
        @Override
        public Actor actor() {
            return Actor.SERVICE;
        }
    }

    /**
     * A change of the fleet, computed beforehand because that may take long.
     *
     * @param plan computes it again if the fleet has changed since
     */
    record ChangeFleet(FleetChange change, Function<StateReader, FleetChange> plan, Actor actor) implements Command {}

    record SavePolls(List<LastPolls> polls) implements Command {
        public SavePolls {
            polls = List.copyOf(polls);
        }

        @Override
        public Actor actor() {
            return Actor.SERVICE;
        }
    }

    /**
     * An operator grants a tenant what its owners cannot set themselves; omitted values stay unchanged.
     *
     * @param addresses null: unchanged
     * @param hosts null: unchanged
     * @param quotas those that differ from the default from now on
     * @param usual those that return to the default
     */
    record SetTenant(
            String tenant,
            List<AddressRange> addresses,
            List<NamePattern> hosts,
            Map<Quota, Long> quotas,
            Set<Quota> usual,
            Actor actor)
            implements Command {
        public SetTenant {
            quotas = Map.copyOf(quotas);
            usual = Set.copyOf(usual);
        }
    }

    record AddToken(ApiToken token, Actor actor) implements Command {}

    /** @param within the only tenant whose tokens the caller may revoke; null for any */
    record RemoveToken(String name, String within, Actor actor) implements Command {}

    /** A request that was already refused. Always refused; submitted so that it is audited. */
    record Denied(String asked, Problem problem, String reason, Actor actor) implements Command {}

    /**
     * Records that the store lost acknowledged commits.
     *
     * @param why in short words
     */
    record NoteLoss(LostCommits lost, String why, Actor actor) implements Command {}

    /**
     * Moves the manual clock, forward only.
     *
     * @param target the end of the move of which this is a step; the age of its idempotency key counts from there, because a long move would outlive it
     */
    record MoveClock(Instant to, Instant target, Actor actor) implements Command {
        public MoveClock(Instant to, Actor actor) {
            this(to, to, actor);
        }
    }

    /** A person sets service time to the time of the machines' clocks. */
    record RepairClock(Instant to, Actor actor) implements Command {}

    /**
     * Begins a rollout.
     *
     * @param prepared its units, found beforehand because that may take long
     */
    record StartRollout(RolloutSpec spec, PreparedRollout prepared, Actor actor) implements Command {}

    /**
     * Opens the units of a rollout, among those given, that may be opened. The result says how many were looked at.
     *
     * @param changed those to which machines came, with these machines, or whose machines changed their update domain
     */
    record Roll(String rollout, List<Integer> units, Map<Integer, List<MachineId>> changed) implements Command {
        public Roll {
            units = List.copyOf(units);
            changed = Map.copyOf(changed);
        }

        public Roll(String rollout, List<Integer> units) {
            this(rollout, units, Map.of());
        }

        @Override
        public Actor actor() {
            return Actor.SERVICE;
        }
    }

    /** @param reason why, in the words of the actor; blank if none was given */
    record PauseRollout(String rollout, String reason, Actor actor) implements Command {
        public PauseRollout(String rollout, Actor actor) {
            this(rollout, "", actor);
        }
    }

    /**
     * Resumes a rollout.
     *
     * @param retry what failed is tried again
     * @param notice for what is retried; null for the least
     * @param until the latest start of a unit from now on; null to leave it as it is
     * @param late what becomes of late units from now on; null to leave it as it is
     */
    record ResumeRollout(
            String rollout, boolean retry, Duration notice, Instant until, RolloutSpec.Late late, Actor actor)
            implements Command {
        public ResumeRollout(String rollout, boolean retry, Actor actor) {
            this(rollout, retry, null, null, null, actor);
        }

        /** What the rollout is asked to be from now on. */
        RolloutSpec change(RolloutSpec spec) {
            return spec.with(b -> {
                b.until = until == null ? b.until : until;
                b.late = late == null ? b.late : late;
            });
        }
    }

    /** @param reason why, in the words of the actor; blank if none was given */
    record AbortRollout(String rollout, String reason, Actor actor) implements Command {
        public AbortRollout(String rollout, Actor actor) {
            this(rollout, "", actor);
        }
    }

    /** Forgets a rollout that is over; what it did stays in history. */
    record RemoveRollout(String rollout, Actor actor) implements Command {}

    /** Adds a subscription. */
    record AddRecipient(Subscription recipient, Actor actor) implements Command {}

    record RemoveRecipient(SubscriptionId id, Actor actor) implements Command {}

    /** A test notification was requested. Changes nothing; submitted so that it is audited. */
    record TryRecipient(SubscriptionId id, Actor actor) implements Command {}

    /**
     * Sends dead letters again.
     *
     * @param earlier how many were by earlier commands of the same request, which is answered with the sum
     */
    record Resend(SubscriptionId id, List<DeadLetter> letters, int earlier, Actor actor) implements Command {
        public Resend {
            letters = List.copyOf(letters);
        }

        public Resend(SubscriptionId id, List<DeadLetter> letters, Actor actor) {
            this(id, letters, 0, actor);
        }
    }

    /** Saves how far subscriptions were delivered, new dead letters, and those to delete. */
    record Posted(List<DeliveryCursor> cursors, List<DeadLetter> letters, List<DeadLetter> settled) implements Command {
        public Posted {
            cursors = List.copyOf(cursors);
            letters = List.copyOf(letters);
            settled = List.copyOf(settled);
        }

        @Override
        public Actor actor() {
            return Actor.SERVICE;
        }
    }
}
