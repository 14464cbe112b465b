package io.forewarn.core.engine;

import io.forewarn.core.access.ApiToken;
import io.forewarn.core.audit.AuditHead;
import io.forewarn.core.event.Event;
import io.forewarn.core.event.EventId;
import io.forewarn.core.event.EventSource;
import io.forewarn.core.event.RolloutUnitId;
import io.forewarn.core.fleet.FleetChange.GroupChange;
import io.forewarn.core.fleet.Group;
import io.forewarn.core.fleet.GroupId;
import io.forewarn.core.fleet.Machine;
import io.forewarn.core.fleet.MachineId;
import io.forewarn.core.fleet.Quota;
import io.forewarn.core.fleet.Tenant;
import io.forewarn.core.notification.Channel;
import io.forewarn.core.notification.DeliveryCursor;
import io.forewarn.core.notification.Subscription;
import io.forewarn.core.notification.SubscriptionId;
import io.forewarn.core.policy.Policy;
import io.forewarn.core.policy.Scope;
import io.forewarn.core.rollout.ActiveUnit;
import io.forewarn.core.rollout.Rollout;
import io.forewarn.core.rollout.RolloutUnitChunk;
import io.forewarn.core.rules.GroupState;
import io.forewarn.core.rules.LastPolls;
import io.forewarn.core.rules.MachineCondition;
import io.forewarn.core.rules.ManualClockRecord;
import io.forewarn.core.rules.NoticeEnd;
import io.forewarn.core.rules.StateReader;
import io.forewarn.core.rules.SubscriptionChanges;
import io.forewarn.core.rules.TenantUsage;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * All committed and published state. Only the writer changes it, and bases its decisions on it; everyone else reads it
 * without waiting.
 */
public final class PublishedState implements StateReader {
    /** How many names are searched for a suggestion. */
    private static final int MOST_NAMES = 20_000;

    private static final int SETTLED = 10_000;

    private final Map<GroupId, GroupView> groups = new ConcurrentHashMap<>();
    private final Map<MachineId, MachineView> machines = new ConcurrentHashMap<>();
    private final Map<String, MachineView> addresses = new ConcurrentHashMap<>();
    private final Map<String, MachineView> listeners = new ConcurrentHashMap<>();
    private final Map<EventId, GroupId> events = new ConcurrentHashMap<>();
    private final Map<String, Integer> userOperations = new ConcurrentHashMap<>();
    private final HostIndex hostIndex = new HostIndex();
    private final TenantUsage usage = new TenantUsage(new ConcurrentHashMap<>());
    private final Map<String, Tenant> tenants = new ConcurrentSkipListMap<>();
    private final Map<String, ApiToken> tokens = new ConcurrentHashMap<>();
    private final Map<Scope, Policy> policies = new ConcurrentHashMap<>();
    private final Map<String, Rollout> rollouts = new ConcurrentSkipListMap<>();
    private final Map<String, RolloutUnitChunk> units = new ConcurrentHashMap<>();
    private final Map<String, Map<String, Integer>> unitNumbers = new ConcurrentHashMap<>();
    private final Map<String, Map<Integer, ActiveUnit>> open = new ConcurrentHashMap<>();
    private volatile AuditHead auditHead = AuditHead.NONE;
    private final Map<SubscriptionId, Subscription> recipients = new ConcurrentSkipListMap<>();
    private final Map<SubscriptionId, DeliveryCursor> cursors = new ConcurrentHashMap<>();

    /** The last dead letters that were deleted, oldest first. For the writer's thread only. */
    private final Set<String> settled = new LinkedHashSet<>();

    private volatile Instant since = Instant.EPOCH;
    private volatile Instant clock;
    private volatile long fleetVersion;
    private volatile long fleetBytes;
    private Predicate<EventId> noticeOver = event -> false;
    private volatile Function<EventId, Optional<NoticeEnd>> noticeEnd = event -> Optional.empty();
    private Function<EventId, Optional<Duration>> readable = event -> Optional.empty();

    /** The machine behind a source address, or null. */
    public MachineView byAddress(String address) {
        return addresses.get(address);
    }

    /** The machine that owns a listener, or null. */
    public MachineView byListener(String listen) {
        return listeners.get(listen);
    }

    /** Every listener some machine owns. */
    public Collection<String> listeners() {
        return List.copyOf(listeners.keySet());
    }

    public MachineView find(MachineId id) {
        return machines.get(id);
    }

    public GroupView find(GroupId id) {
        return groups.get(id);
    }

    /** Every group, removed ones whose state is kept included. */
    public Collection<GroupView> allGroups() {
        return groups.values();
    }

    public Collection<MachineView> allMachines() {
        return machines.values();
    }

    public Collection<ApiToken> tokens() {
        return tokens.values();
    }

    @Override
    public Optional<Group> group(GroupId id) {
        GroupView view = groups.get(id);
        return view == null ? Optional.empty() : Optional.ofNullable(view.group());
    }

    @Override
    public Collection<GroupId> groups() {
        return groups.values().stream()
                .filter(g -> g.group() != null)
                .map(GroupView::id)
                .toList();
    }

    @Override
    public List<Machine> machines(GroupId group) {
        GroupView view = groups.get(group);
        return view == null ? List.of() : view.machines();
    }

    @Override
    public Optional<Machine> machine(MachineId id) {
        return Optional.ofNullable(machines.get(id)).map(MachineView::machine);
    }

    @Override
    public Collection<String> machineNames(String tenant) {
        return machines.keySet().stream()
                .filter(id -> id.tenant().equals(tenant))
                .map(MachineId::name)
                .limit(MOST_NAMES)
                .toList();
    }

    @Override
    public Optional<MachineId> atAddress(String address) {
        return Optional.ofNullable(addresses.get(address)).map(m -> m.machine().id());
    }

    @Override
    public Optional<MachineId> atListener(String listen) {
        return Optional.ofNullable(listeners.get(listen)).map(m -> m.machine().id());
    }

    @Override
    public GroupState state(GroupId group) {
        GroupView view = groups.get(group);
        return view == null ? GroupState.fresh(group) : view.state();
    }

    @Override
    public Optional<GroupId> groupOf(EventId event) {
        return Optional.ofNullable(events.get(event));
    }

    @Override
    public boolean noticeOver(EventId event) {
        return noticeOver.test(event);
    }

    @Override
    public Optional<NoticeEnd> noticeEnd(EventId event) {
        return noticeEnd.apply(event);
    }

    @Override
    public Optional<Duration> readable(EventId event) {
        return readable.apply(event);
    }

    @Override
    public MachineCondition condition(MachineId machine) {
        MachineView view = machines.get(machine);
        return view == null || view.condition() == null ? MachineCondition.fresh(machine) : view.condition();
    }

    @Override
    public int openUserOperations(String tenant) {
        return userOperations.getOrDefault(tenant, 0);
    }

    @Override
    public Instant lastPoll(GroupId group) {
        GroupView view = groups.get(group);
        Instant polled = view == null ? Instant.EPOCH : Instant.ofEpochMilli(view.lastPoll());
        return polled.isAfter(since) ? polled : since;
    }

    @Override
    public Instant lastPoll(MachineId machine) {
        MachineView view = machines.get(machine);
        return view == null ? Instant.EPOCH : Instant.ofEpochMilli(view.lastPoll());
    }

    @Override
    public Instant storedPoll(MachineId machine) {
        MachineView view = machines.get(machine);
        return view == null ? Instant.EPOCH : Instant.ofEpochMilli(view.storedPoll());
    }

    @Override
    public LastPolls lastPolls(GroupId group) {
        Map<String, LastPolls.Poll> polls = new HashMap<>();
        for (Machine machine : machines(group)) {
            MachineView view = machines.get(machine.id());
            if (view != null && view.lastPoll() > 0) {
                polls.put(machine.name(), new LastPolls.Poll(Instant.ofEpochMilli(view.lastPoll()), view.apiVersion()));
            }
        }
        return new LastPolls(group, polls);
    }

    @Override
    public Collection<MachineId> machinesOn(String host) {
        return hostIndex.machinesOn(host);
    }

    @Override
    public Collection<String> hosts() {
        return hostIndex.hosts();
    }

    @Override
    public Optional<Rollout> rollout(String name) {
        return Optional.ofNullable(rollouts.get(name));
    }

    @Override
    public Collection<Rollout> rollouts() {
        return rollouts.values();
    }

    @Override
    public RolloutUnitChunk units(String rollout, int chunk) {
        return units.get(RolloutUnitChunk.key(rollout, chunk));
    }

    @Override
    public OptionalInt unitNumber(String rollout, String unit) {
        Integer number = unitNumbers.getOrDefault(rollout, Map.of()).get(unit);
        return number == null ? OptionalInt.empty() : OptionalInt.of(number);
    }

    @Override
    public Optional<ActiveUnit> open(RolloutUnitId rolloutUnitId) {
        return Optional.ofNullable(
                open.getOrDefault(rolloutUnitId.rollout(), Map.of()).get(rolloutUnitId.unit()));
    }

    @Override
    public Collection<ActiveUnit> open(String rollout) {
        return open.getOrDefault(rollout, Map.of()).values();
    }

    @Override
    public long fleetVersion() {
        return fleetVersion;
    }

    @Override
    public Optional<Tenant> tenant(String name) {
        return Optional.ofNullable(tenants.get(name));
    }

    /** All tenants with grants, in order. */
    public Collection<Tenant> tenants() {
        return tenants.values();
    }

    @Override
    public long used(String tenant, Quota of) {
        return switch (of) {
            case WEBHOOKS -> recipients(tenant, Channel.WEBHOOK);
            case MAIL_SUBSCRIPTIONS -> recipients(tenant, Channel.MAIL);
            default -> usage.used(tenant, of);
        };
    }

    private long recipients(String tenant, Channel channel) {
        return recipients.keySet().stream()
                .filter(id -> id.isOf(tenant, channel))
                .count();
    }

    /** What the fleet takes in memory, by estimate. */
    public long fleetBytes() {
        return fleetBytes;
    }

    @Override
    public Optional<ApiToken> token(String name) {
        return Optional.ofNullable(tokens.get(name));
    }

    @Override
    public Optional<Policy> policy(Scope scope) {
        return Optional.ofNullable(policies.get(scope));
    }

    @Override
    public Collection<Policy> policies() {
        return policies.values();
    }

    /** The newest page of the audit log. */
    public AuditHead auditHead() {
        return auditHead;
    }

    void publish(AuditHead head) {
        auditHead = head;
    }

    /** Where the manual clock stood when it was last moved, as far as it is known here; null if there never was one. */
    public Instant clock() {
        return clock;
    }

    void publish(ManualClockRecord mark) {
        clock = mark.now();
    }

    /** Records a poll that another node answered. Any thread. */
    public void polledElsewhere(MachineId id, long serviceMillis, String apiVersion) {
        MachineView machine = machines.get(id);
        if (machine != null && machine.lastPoll() < serviceMillis) {
            machine.recall(serviceMillis, apiVersion);
            machine.group().recall(serviceMillis);
            machine.group().unsaved(true);
        }
    }

    /** Remembers what the store knows of polls: they were saved now, by another node, or before a restart. */
    void publish(LastPolls polls) {
        polls.machines().forEach((name, poll) -> {
            MachineView machine = machines.get(new MachineId(polls.group().tenant(), name));
            if (machine == null) {
                return;
            }
            long at = poll.at().toEpochMilli();
            machine.stored(at);
            if (machine.lastPoll() < at) {
                machine.recall(at, poll.apiVersion());
                machine.group().recall(at);
            }
        });
    }

    /** Sets the check whether a notice has passed on the monotonic clock. The writer's thread. */
    void noticeOver(Predicate<EventId> known) {
        noticeOver = known;
    }

    /** Sets the source of when notices end, which any thread may ask. The writer's thread. */
    void noticeEnd(Function<EventId, Optional<NoticeEnd>> known) {
        noticeEnd = known;
    }

    /** Sets the source of how long an event could be read. The writer's thread. */
    void readable(Function<EventId, Optional<Duration>> known) {
        readable = known;
    }

    /**
     * Silence counts from now, because the writer was started or service time was set. A later poll time was recorded before
     * service time was set back, and would keep its group from ever becoming silent.
     */
    void since(Instant start) {
        since = start;
        machines.values().forEach(machine -> machine.notPolledAfter(start.toEpochMilli()));
        groups.values().forEach(group -> group.notPolledAfter(start.toEpochMilli()));
    }

    void publish(GroupState state) {
        GroupView view = groups.get(state.group());
        state.events().forEach(e -> events.put(e.id(), state.group()));
        count(state, +1);
        if (view == null) {
            groups.put(state.group(), new GroupView(state));
            return;
        }
        GroupState before = view.state();
        view.publish(state);
        count(before, -1);
        for (Event event : before.events()) {
            if (state.event(event.id()).isEmpty()) {
                events.remove(event.id());
            }
        }
    }

    private void count(GroupState state, int sign) {
        int user = 0;
        for (Event event : state.events()) {
            user += event.work().cause().source() == EventSource.USER ? 1 : 0;
        }
        if (user > 0) {
            userOperations.merge(state.group().tenant(), sign * user, Integer::sum);
        }
    }

    void publish(MachineCondition condition) {
        MachineView view = machines.get(condition.machine());
        if (view != null) {
            view.publish(condition);
        }
    }

    void publish(Rollout rollout) {
        rollouts.put(rollout.name(), rollout);
    }

    /** Whether it has ended and has no active units. */
    void removeRollout(String name) {
        rollouts.remove(name);
        unitNumbers.remove(name);
        open.remove(name);
    }

    void removeUnits(String key) {
        units.remove(key);
    }

    /** Of all rollouts. */
    Collection<RolloutUnitChunk> allUnits() {
        return units.values();
    }

    /** Of all rollouts. */
    List<ActiveUnit> allOpen() {
        return open.values().stream().flatMap(of -> of.values().stream()).toList();
    }

    void publish(RolloutUnitChunk chunk) {
        RolloutUnitChunk before = units.put(chunk.key(), chunk);
        int known = before == null ? 0 : before.units().size();
        Map<String, Integer> numbers = unitNumbers.computeIfAbsent(chunk.rollout(), name -> new ConcurrentHashMap<>());
        // The units of a rollout keep their numbers; more may be added at the end.
        for (int i = known; i < chunk.units().size(); i++) {
            numbers.put(chunk.units().get(i).name(), chunk.chunk() * RolloutUnitChunk.SIZE + i);
        }
    }

    void publish(ActiveUnit unit) {
        open.computeIfAbsent(unit.tie().rollout(), name -> new ConcurrentHashMap<>())
                .put(unit.tie().unit(), unit);
    }

    void close(RolloutUnitId rolloutUnitId) {
        Map<Integer, ActiveUnit> units = open.get(rolloutUnitId.rollout());
        if (units != null) {
            units.remove(rolloutUnitId.unit());
        }
    }

    /** A tenant that was granted nothing is removed. */
    void publish(Tenant tenant) {
        if (tenant.isBare()) {
            tenants.remove(tenant.name());
        } else {
            tenants.put(tenant.name(), tenant);
        }
    }

    void publish(ApiToken token) {
        ApiToken before = tokens.put(token.name(), token);
        if (before != null) {
            usage.count(before, -1);
        }
        usage.count(token, +1);
    }

    void removeToken(String name) {
        ApiToken before = tokens.remove(name);
        if (before != null) {
            usage.count(before, -1);
        }
    }

    void publish(Policy policy) {
        Policy before = policies.put(policy.scope(), policy);
        if (before != null) {
            usage.count(before, -1);
        }
        usage.count(policy, +1);
    }

    void removePolicy(Scope scope) {
        Policy before = policies.remove(scope);
        if (before != null) {
            usage.count(before, -1);
        }
    }

    /** Publishes a fleet change. */
    void publish(Collection<GroupChange> changes) {
        FleetPublication publication = publication();
        changes.forEach(publication::prepare);
        publish(publication);
    }

    /** Begins to prepare a fleet change; no other may be published before it. */
    FleetPublication publication() {
        return new FleetPublication(this, hostIndex.draft());
    }

    /** Publishes a prepared fleet change: additions before removals, so that a machine that stays is never missing. */
    @SuppressWarnings("NonAtomicVolatileUpdate") // Only the writer publishes.
    void publish(FleetPublication publication) {
        List<Machine> gone = publication.gone();
        IdentityHashMap<Machine, MachineView> stale = new IdentityHashMap<>();
        publication.parts().forEach(part -> come(part, stale));
        usage.add(publication.usage());
        fleetBytes = fleetBytes + publication.bytes();
        hostIndex.publish(publication.hosts());
        stale.forEach((old, view) -> release(old, view, view.machine()));
        gone.forEach(this::go);
        fleetVersion = fleetVersion + 1;
        publication.deserted().forEach((id, old) -> groups.get(id).wakeIfOneLeft(old));
        // No state is kept for a group that never had any, so that adding and removing groups leaves nothing behind.
        publication.parts().stream()
                .filter(part -> part.change().group() == null)
                .map(part -> part.change().id())
                .filter(id -> state(id).equals(GroupState.fresh(id)))
                .forEach(groups::remove);
    }

    private void come(FleetPublication.Part part, IdentityHashMap<Machine, MachineView> stale) {
        GroupChange change = part.change();
        GroupView group = part.view() != null
                ? part.view()
                : groups.computeIfAbsent(change.id(), id -> new GroupView(GroupState.fresh(id)));
        group.publish(change.group(), change.machines());
        for (int i = 0; i < part.views().length; i++) {
            Machine machine = change.machines().get(i);
            MachineView known = part.views()[i];
            Machine was = known == null ? null : known.machine();
            MachineView view = known == null ? new MachineView(machine, group) : known;
            if (known == null) {
                machines.put(machine.id(), view);
            } else {
                view.publish(machine, group);
            }
            if (was == null || !was.addresses().equals(machine.addresses())) {
                machine.addresses().forEach(a -> addresses.put(a, view));
                if (was != null) {
                    stale.put(was, view);
                }
            }
            if (was == null || !was.listen().equals(machine.listen())) {
                if (!machine.listen().isEmpty()) {
                    listeners.put(machine.listen(), view);
                }
                if (was != null) {
                    stale.put(was, view);
                }
            }
        }
    }

    private void go(Machine old) {
        MachineView view = machines.remove(old.id());
        if (view != null) {
            release(old, view, null);
        }
    }

    /** Gives up addresses and the listener that a machine no longer has; null if it is gone. */
    private void release(Machine old, MachineView view, Machine now) {
        old.addresses().stream()
                .filter(a -> now == null || !now.addresses().contains(a))
                .forEach(a -> addresses.remove(a, view));
        if (now == null || !now.listen().equals(old.listen())) {
            listeners.remove(old.listen(), view);
        }
    }

    @Override
    public Optional<Subscription> recipient(SubscriptionId id) {
        return Optional.ofNullable(recipients.get(id));
    }

    @Override
    public Collection<Subscription> recipients() {
        return recipients.values();
    }

    /** How far a subscription was delivered, as stored; at most about a second old. */
    public Optional<DeliveryCursor> cursor(SubscriptionId id) {
        return Optional.ofNullable(cursors.get(id));
    }

    @Override
    public boolean settled(String letter) {
        return settled.contains(letter);
    }

    /** Remembers which dead letters were settled; what else changed is published record by record. */
    void settle(SubscriptionChanges subscriptions) {
        subscriptions.settled().forEach(settled::add);
        subscriptions.letters().forEach(letter -> settled.remove(letter.key()));
        while (settled.size() > SETTLED) {
            settled.remove(settled.iterator().next());
        }
    }

    void removeRecipient(SubscriptionId id) {
        recipients.remove(id);
        cursors.remove(id);
    }

    void publish(Subscription subscription) {
        recipients.put(subscription.id(), subscription);
    }

    void publish(DeliveryCursor cursor) {
        cursors.put(cursor.recipient(), cursor);
    }
}
