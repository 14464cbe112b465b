package io.forewarn.core.rules;

import io.forewarn.core.access.ApiToken;
import io.forewarn.core.event.Event;
import io.forewarn.core.event.EventId;
import io.forewarn.core.event.EventSource;
import io.forewarn.core.event.RolloutUnitId;
import io.forewarn.core.fleet.FleetChange;
import io.forewarn.core.fleet.FleetChange.GroupChange;
import io.forewarn.core.fleet.Group;
import io.forewarn.core.fleet.GroupId;
import io.forewarn.core.fleet.Machine;
import io.forewarn.core.fleet.MachineId;
import io.forewarn.core.fleet.Quota;
import io.forewarn.core.fleet.Tenant;
import io.forewarn.core.history.HistoryEntry;
import io.forewarn.core.notification.Channel;
import io.forewarn.core.notification.Subscription;
import io.forewarn.core.notification.SubscriptionId;
import io.forewarn.core.policy.Policy;
import io.forewarn.core.policy.Scope;
import io.forewarn.core.rollout.ActiveUnit;
import io.forewarn.core.rollout.Rollout;
import io.forewarn.core.rollout.RolloutUnitChunk;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * Uncommitted changes layered over the state they were decided on. Change sets can be stacked: each command is decided on
 * its own, which is merged if the command succeeds and dropped if it is refused.
 */
public final class ChangeSet implements StateReader {
    private final StateReader under;
    private final long commit;
    private final long epoch;

    private final Map<GroupId, GroupState> states = new LinkedHashMap<>();
    private final Map<EventId, GroupId> events = new HashMap<>();
    private final Map<String, Integer> userOperations = new HashMap<>();
    private final Map<MachineId, MachineCondition> conditions = new LinkedHashMap<>();
    private final Map<GroupId, GroupChange> fleet = new LinkedHashMap<>();
    private final Set<FleetChange.Move> moves = new LinkedHashSet<>();
    private final Map<MachineId, Machine> placed = new HashMap<>();
    private final Set<MachineId> removed = new HashSet<>();
    private final List<Unindexed> unindexed = new ArrayList<>();
    private final TenantUsage usage = new TenantUsage(new HashMap<>());
    private final Map<String, Tenant> tenants = new LinkedHashMap<>();
    private final Map<String, ApiToken> tokens = new LinkedHashMap<>();
    private final Set<String> removedTokens = new LinkedHashSet<>();
    private final Map<Scope, Policy> policies = new LinkedHashMap<>();
    private final Set<Scope> removedPolicies = new LinkedHashSet<>();
    private final List<LastPolls> polls = new ArrayList<>();
    private final List<HistoryEntry> entries = new ArrayList<>();
    private final Set<EventId> starts = new LinkedHashSet<>();
    private final Map<String, Rollout> rollouts = new LinkedHashMap<>();
    private final Map<String, RolloutUnitChunk> units = new LinkedHashMap<>();
    private final Map<String, Rollout> removedRollouts = new LinkedHashMap<>();
    private final Map<RolloutUnitId, ActiveUnit> opened = new LinkedHashMap<>();
    private final Set<RolloutUnitId> closed = new LinkedHashSet<>();
    private final List<BlockedUnit> waits = new ArrayList<>();
    private final SubscriptionChanges subscriptions = new SubscriptionChanges();
    private Arrivals arrivals;
    private ManualClockRecord clock;
    private long fleetChanges;

    /**
     * @param commit the number the commit of this draft will have
     * @param epoch of the writer
     */
    public ChangeSet(StateReader under, long commit, long epoch) {
        this.under = under;
        this.commit = commit;
        this.epoch = epoch;
    }

    /** A change set for one command, on top of this one. */
    public ChangeSet over() {
        return new ChangeSet(this, commit, epoch);
    }

    /** Merges the changes of a change set on top of this one. */
    public void absorb(ChangeSet upper) {
        upper.states.values().forEach(this::put);
        upper.conditions.values().forEach(this::put);
        entries.addAll(upper.entries);
        starts.addAll(upper.starts);
        if (!upper.fleet.isEmpty() || upper.fleetChanges > 0) {
            moves.addAll(upper.moves);
            upper.fleet.values().forEach(this::put);
            fleetChanges += upper.fleetChanges;
        }
        if (upper.changesSettings()) {
            absorbSettings(upper);
        }
        if (upper.changesRollouts()) {
            absorbRollouts(upper);
        }
    }

    private boolean changesSettings() {
        return !tenants.isEmpty()
                || !tokens.isEmpty()
                || !removedTokens.isEmpty()
                || !policies.isEmpty()
                || !removedPolicies.isEmpty()
                || !polls.isEmpty()
                || clock != null
                || !subscriptions.isEmpty();
    }

    private void absorbSettings(ChangeSet upper) {
        upper.tenants.values().forEach(this::put);
        upper.tokens.values().forEach(this::put);
        upper.removedTokens.forEach(this::removeToken);
        upper.policies.values().forEach(this::put);
        upper.removedPolicies.forEach(this::removePolicy);
        polls.addAll(upper.polls);
        subscriptions.absorb(upper.subscriptions);
        clock = upper.clock != null ? upper.clock : clock;
    }

    private boolean changesRollouts() {
        return !rollouts.isEmpty()
                || !removedRollouts.isEmpty()
                || !units.isEmpty()
                || !opened.isEmpty()
                || !closed.isEmpty()
                || !waits.isEmpty();
    }

    private void absorbRollouts(ChangeSet upper) {
        upper.removedRollouts.values().forEach(this::removeRollout);
        upper.rollouts.values().forEach(this::put);
        upper.units.values().forEach(this::put);
        upper.opened.values().forEach(this::put);
        upper.closed.forEach(this::close);
        waits.addAll(upper.waits);
    }

    public long commit() {
        return commit;
    }

    public long epoch() {
        return epoch;
    }

    void put(GroupState state) {
        GroupState before = state(state.group());
        before.events().forEach(e -> events.put(e.id(), null));
        state.events().forEach(e -> events.put(e.id(), state.group()));
        userOperations.merge(state.group().tenant(), byUsers(state) - byUsers(before), Integer::sum);
        states.put(state.group(), state);
    }

    private static int byUsers(GroupState state) {
        int count = 0;
        for (Event event : state.events()) {
            count += event.work().cause().source() == EventSource.USER ? 1 : 0;
        }
        return count;
    }

    /**
     * For a change that is carried out later: until then the states of groups and the conditions of machines go on changing.
     *
     * @return what it says of the conditions
     */
    public List<Command.Arrive> dropStates() {
        List<Command.Arrive> arrivals = conditions.values().stream()
                .map(condition -> new Command.Arrive(condition.machine(), condition.arrived()))
                .toList();
        states.clear();
        conditions.clear();
        return arrivals;
    }

    void put(MachineCondition condition) {
        conditions.put(condition.machine(), condition);
    }

    void change(FleetChange change) {
        change.groups().forEach(this::put);
        moves.addAll(change.moves());
        fleetChanges++;
    }

    private void put(GroupChange change) {
        unindexed.add(new Unindexed(change, fleet.put(change.id(), change)));
    }

    /**
     * A group that changed. Its machines are indexed when somebody looks for one: of a whole fleet that would take the writer a
     * second, and nobody does.
     *
     * @param before how it was changed here before; null if it was not
     */
    private record Unindexed(GroupChange change, GroupChange before) {}

    private void index() {
        if (unindexed.isEmpty()) {
            return;
        }
        for (Unindexed next : unindexed) {
            GroupChange change = next.change();
            String tenant = change.id().tenant();
            GroupChange before = next.before() != null
                    ? next.before()
                    : new GroupChange(change.id(), under.group(change.id()).orElse(null), under.machines(change.id()));
            usage.count(tenant, before.group(), before.machines(), -1);
            usage.count(tenant, change.group(), change.machines(), +1);
            for (Machine machine : before.machines()) {
                if (indexed(machine.id())
                        .filter(m -> m.group().equals(change.id()))
                        .isPresent()) {
                    placed.remove(machine.id());
                    removed.add(machine.id());
                }
            }
            for (Machine machine : change.machines()) {
                placed.put(machine.id(), machine);
                removed.remove(machine.id());
                if (arrivals != null) {
                    arrivals.add(machine);
                }
            }
        }
        unindexed.clear();
    }

    /** A tenant that was granted nothing is removed. */
    void put(Tenant tenant) {
        tenants.put(tenant.name(), tenant);
    }

    void put(ApiToken token) {
        token(token.name()).ifPresent(before -> usage.count(before, -1));
        usage.count(token, +1);
        removedTokens.remove(token.name());
        tokens.put(token.name(), token);
    }

    void removeToken(String name) {
        token(name).ifPresent(before -> usage.count(before, -1));
        tokens.remove(name);
        removedTokens.add(name);
    }

    void put(Policy policy) {
        policy(policy.scope()).ifPresent(before -> usage.count(before, -1));
        usage.count(policy, +1);
        removedPolicies.remove(policy.scope());
        policies.put(policy.scope(), policy);
    }

    void removePolicy(Scope scope) {
        policy(scope).ifPresent(before -> usage.count(before, -1));
        policies.remove(scope);
        removedPolicies.add(scope);
    }

    void put(LastPolls saved) {
        polls.add(saved);
    }

    void put(ManualClockRecord mark) {
        clock = mark;
    }

    void put(Rollout rollout) {
        rollouts.put(rollout.name(), rollout);
    }

    /** Removes a finished rollout. The name may be reused in the same commit. */
    void removeRollout(Rollout rollout) {
        rollouts.remove(rollout.name());
        units.values().removeIf(chunk -> chunk.rollout().equals(rollout.name()));
        removedRollouts.put(rollout.name(), rollout);
    }

    void put(RolloutUnitChunk chunk) {
        units.put(chunk.key(), chunk);
    }

    void put(ActiveUnit unit) {
        closed.remove(unit.tie());
        opened.put(unit.tie(), unit);
    }

    void close(RolloutUnitId rolloutUnitId) {
        opened.remove(rolloutUnitId);
        closed.add(rolloutUnitId);
    }

    /** Notes why a unit of a rollout could not be opened. */
    void put(BlockedUnit why) {
        waits.add(why);
    }

    void note(HistoryEntry entry) {
        entries.add(entry);
    }

    /** The driver must start this event once the change set is durable. */
    void start(EventId event) {
        starts.add(event);
    }

    public Collection<GroupState> states() {
        return states.values();
    }

    public Collection<MachineCondition> conditions() {
        return conditions.values();
    }

    public Collection<GroupChange> fleet() {
        return fleet.values();
    }

    /** Between which groups machines move. */
    public Collection<FleetChange.Move> moves() {
        return moves;
    }

    /** Tenants whose grants changed or were withdrawn. */
    public Collection<Tenant> changedTenants() {
        return tenants.values();
    }

    public Collection<ApiToken> tokens() {
        return tokens.values();
    }

    public Collection<String> removedTokens() {
        return removedTokens;
    }

    /** The policies set here; {@link #policies} returns all. */
    public Collection<Policy> setPolicies() {
        return policies.values();
    }

    public Collection<Scope> removedPolicies() {
        return removedPolicies;
    }

    public Collection<LastPolls> polls() {
        return polls;
    }

    public Optional<ManualClockRecord> clock() {
        return Optional.ofNullable(clock);
    }

    public List<HistoryEntry> entries() {
        return entries;
    }

    public Collection<EventId> starts() {
        return starts;
    }

    public Collection<Rollout> changedRollouts() {
        return rollouts.values();
    }

    /** In their last state. */
    public Collection<Rollout> removedRollouts() {
        return removedRollouts.values();
    }

    public Collection<RolloutUnitChunk> changedUnits() {
        return units.values();
    }

    public Collection<ActiveUnit> opened() {
        return opened.values();
    }

    public Collection<RolloutUnitId> closed() {
        return closed;
    }

    public List<BlockedUnit> waits() {
        return waits;
    }

    @Override
    public Optional<Group> group(GroupId id) {
        GroupChange change = fleet.get(id);
        return change == null ? under.group(id) : Optional.ofNullable(change.group());
    }

    @Override
    public Collection<GroupId> groups() {
        Set<GroupId> all = new LinkedHashSet<>(under.groups());
        fleet.forEach((id, change) -> {
            if (change.group() == null) {
                all.remove(id);
            } else {
                all.add(id);
            }
        });
        return all;
    }

    @Override
    public List<Machine> machines(GroupId group) {
        GroupChange change = fleet.get(group);
        return change == null ? under.machines(group) : change.machines();
    }

    @Override
    public Optional<Machine> machine(MachineId id) {
        index();
        return indexed(id);
    }

    private Optional<Machine> indexed(MachineId id) {
        if (removed.contains(id)) {
            return Optional.empty();
        }
        Machine machine = placed.get(id);
        return machine == null ? under.machine(id) : Optional.of(machine);
    }

    @Override
    public Collection<String> machineNames(String tenant) {
        return under.machineNames(tenant);
    }

    @Override
    public Optional<MachineId> atAddress(String address) {
        return holder(address, under.atAddress(address), m -> m.addresses().contains(address));
    }

    @Override
    public Optional<MachineId> atListener(String listen) {
        return holder(listen, under.atListener(listen), m -> m.listen().equals(listen));
    }

    /** The machine that holds it: one added here, or an earlier holder that still has it. */
    private Optional<MachineId> holder(String claimed, Optional<MachineId> before, Predicate<Machine> holds) {
        return Optional.ofNullable(arrivals().claims.get(claimed))
                .filter(id -> machine(id).filter(holds).isPresent())
                .or(() -> before.filter(id -> machine(id).filter(holds).isPresent()));
    }

    @Override
    public GroupState state(GroupId group) {
        GroupState state = states.get(group);
        return state == null ? under.state(group) : state;
    }

    @Override
    public Optional<GroupId> groupOf(EventId event) {
        return events.containsKey(event) ? Optional.ofNullable(events.get(event)) : under.groupOf(event);
    }

    @Override
    public boolean noticeOver(EventId event) {
        return under.noticeOver(event);
    }

    @Override
    public Optional<NoticeEnd> noticeEnd(EventId event) {
        return under.noticeEnd(event);
    }

    @Override
    public Optional<Duration> readable(EventId event) {
        return under.readable(event);
    }

    @Override
    public MachineCondition condition(MachineId machine) {
        MachineCondition condition = conditions.get(machine);
        return condition == null ? under.condition(machine) : condition;
    }

    @Override
    public int openUserOperations(String tenant) {
        return under.openUserOperations(tenant) + userOperations.getOrDefault(tenant, 0);
    }

    @Override
    public Instant lastPoll(GroupId group) {
        return under.lastPoll(group);
    }

    @Override
    public Instant lastPoll(MachineId machine) {
        return under.lastPoll(machine);
    }

    @Override
    public Instant storedPoll(MachineId machine) {
        return under.storedPoll(machine);
    }

    @Override
    public LastPolls lastPolls(GroupId group) {
        return under.lastPolls(group);
    }

    @Override
    public Collection<MachineId> machinesOn(String host) {
        if (fleet.isEmpty()) {
            return under.machinesOn(host);
        }
        Set<MachineId> there = new LinkedHashSet<>(under.machinesOn(host));
        there.addAll(arrivals().hosts.getOrDefault(host, Set.of()));
        there.removeIf(id -> machine(id).filter(m -> m.host().equals(host)).isEmpty());
        return there;
    }

    @Override
    public Collection<String> hosts() {
        if (fleet.isEmpty()) {
            return under.hosts();
        }
        Set<String> hosts = new TreeSet<>(under.hosts());
        hosts.addAll(arrivals().hosts.keySet());
        hosts.removeIf(host -> machinesOn(host).isEmpty());
        return hosts;
    }

    @Override
    public Optional<Rollout> rollout(String name) {
        Rollout rollout = rollouts.get(name);
        if (rollout == null && removedRollouts.containsKey(name)) {
            return Optional.empty();
        }
        return rollout == null ? under.rollout(name) : Optional.of(rollout);
    }

    @Override
    public Collection<Rollout> rollouts() {
        Map<String, Rollout> all = new LinkedHashMap<>();
        under.rollouts().forEach(r -> all.put(r.name(), r));
        all.keySet().removeAll(removedRollouts.keySet());
        all.putAll(rollouts);
        return all.values();
    }

    @Override
    public RolloutUnitChunk units(String rollout, int chunk) {
        RolloutUnitChunk changed = units.get(RolloutUnitChunk.key(rollout, chunk));
        return changed == null ? under.units(rollout, chunk) : changed;
    }

    @Override
    public OptionalInt unitNumber(String rollout, String unit) {
        OptionalInt known =
                removedRollouts.containsKey(rollout) ? OptionalInt.empty() : under.unitNumber(rollout, unit);
        if (known.isPresent()) {
            return known;
        }
        // A new rollout, or units that were added to one.
        for (RolloutUnitChunk chunk : units.values()) {
            for (int i = 0; chunk.rollout().equals(rollout) && i < chunk.units().size(); i++) {
                if (chunk.units().get(i).name().equals(unit)) {
                    return OptionalInt.of(chunk.chunk() * RolloutUnitChunk.SIZE + i);
                }
            }
        }
        return OptionalInt.empty();
    }

    @Override
    public Optional<ActiveUnit> open(RolloutUnitId rolloutUnitId) {
        if (closed.contains(rolloutUnitId)) {
            return Optional.empty();
        }
        ActiveUnit unit = opened.get(rolloutUnitId);
        return unit == null ? under.open(rolloutUnitId) : Optional.of(unit);
    }

    @Override
    public Collection<ActiveUnit> open(String rollout) {
        Map<RolloutUnitId, ActiveUnit> all = new LinkedHashMap<>();
        under.open(rollout).forEach(p -> all.put(p.tie(), p));
        opened.values().stream().filter(p -> p.tie().rollout().equals(rollout)).forEach(p -> all.put(p.tie(), p));
        closed.forEach(all::remove);
        return all.values();
    }

    @Override
    public long fleetVersion() {
        return under.fleetVersion() + fleetChanges;
    }

    @Override
    public Optional<Tenant> tenant(String name) {
        Tenant tenant = tenants.get(name);
        return tenant == null ? under.tenant(name) : Optional.of(tenant).filter(t -> !t.isBare());
    }

    @Override
    public long used(String tenant, Quota of) {
        index();
        return switch (of) {
            case WEBHOOKS -> recipients(tenant, Channel.WEBHOOK);
            case MAIL_SUBSCRIPTIONS -> recipients(tenant, Channel.MAIL);
            default -> under.used(tenant, of) + usage.used(tenant, of);
        };
    }

    private long recipients(String tenant, Channel channel) {
        return recipients().stream().filter(r -> r.id().isOf(tenant, channel)).count();
    }

    @Override
    public Optional<ApiToken> token(String name) {
        if (removedTokens.contains(name)) {
            return Optional.empty();
        }
        ApiToken token = tokens.get(name);
        return token == null ? under.token(name) : Optional.of(token);
    }

    @Override
    public Optional<Policy> policy(Scope scope) {
        if (removedPolicies.contains(scope)) {
            return Optional.empty();
        }
        Policy policy = policies.get(scope);
        return policy == null ? under.policy(scope) : Optional.of(policy);
    }

    @Override
    public Collection<Policy> policies() {
        Map<Scope, Policy> all = new LinkedHashMap<>();
        under.policies().forEach(p -> all.put(p.scope(), p));
        all.putAll(policies);
        all.keySet().removeAll(removedPolicies);
        return all.values();
    }

    public SubscriptionChanges post() {
        return subscriptions;
    }

    @Override
    public Optional<Subscription> recipient(SubscriptionId id) {
        return subscriptions.recipient(id, under);
    }

    @Override
    public Collection<Subscription> recipients() {
        return subscriptions.recipients(under);
    }

    @Override
    public boolean settled(String letter) {
        return subscriptions.settled(letter, under);
    }

    /** Built on demand: a whole fleet may have been added, and it is rarely needed. */
    private Arrivals arrivals() {
        index();
        if (arrivals == null) {
            arrivals = new Arrivals();
            placed.values().forEach(arrivals::add);
        }
        return arrivals;
    }

    /** Indexes the machines added here. Some may have been removed again. */
    private static final class Arrivals {
        final Map<String, Set<MachineId>> hosts = new HashMap<>();
        final Map<String, MachineId> claims = new HashMap<>();

        void add(Machine machine) {
            if (!machine.host().isEmpty()) {
                hosts.computeIfAbsent(machine.host(), host -> new LinkedHashSet<>())
                        .add(machine.id());
            }
            machine.addresses().forEach(address -> claims.put(address, machine.id()));
            if (!machine.listen().isEmpty()) {
                claims.put(machine.listen(), machine.id());
            }
        }
    }
}
