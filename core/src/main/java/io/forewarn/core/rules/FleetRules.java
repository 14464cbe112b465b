package io.forewarn.core.rules;

import io.forewarn.core.NameRules;
import io.forewarn.core.Problem;
import io.forewarn.core.RefusedException;
import io.forewarn.core.event.Event;
import io.forewarn.core.event.EventType;
import io.forewarn.core.event.Phase;
import io.forewarn.core.fleet.Addresses;
import io.forewarn.core.fleet.FleetChange;
import io.forewarn.core.fleet.FleetChange.GroupChange;
import io.forewarn.core.fleet.FleetChange.Move;
import io.forewarn.core.fleet.FleetSpec;
import io.forewarn.core.fleet.FleetSpec.GroupSpec;
import io.forewarn.core.fleet.FleetSpec.MachineSpec;
import io.forewarn.core.fleet.Group;
import io.forewarn.core.fleet.GroupId;
import io.forewarn.core.fleet.GroupKind;
import io.forewarn.core.fleet.Machine;
import io.forewarn.core.fleet.MachineId;
import io.forewarn.core.fleet.Quota;
import io.forewarn.core.fleet.Tenant;
import io.forewarn.core.fleet.ValidationProblem;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Computes the difference between the present fleet and a desired one. All problems are collected before any is reported,
 * and a machine with an open event keeps its group and its update domain.
 */
public final class FleetRules {
    private static final int MOST_DOMAINS = 1000;
    private static final int MOST_FAULTS_TOLD = 100;

    private final StateReader facts;
    private final long version;
    private final Map<GroupId, Desired> touched = new LinkedHashMap<>();
    private final Map<MachineId, GroupId> placed = new HashMap<>();
    private final Map<MachineId, MachineSpec> specs = new HashMap<>();
    private final Map<String, MachineSpec> addresses = new HashMap<>();
    private final Map<String, MachineSpec> listeners = new HashMap<>();
    private final List<ValidationProblem> faults = new ArrayList<>();
    private Predicate<String> mayKnow = tenant -> true;
    private OwnerLimits limits;
    private int changes;

    /** A group with its present and its desired state. */
    private static final class Desired {
        Group group;
        final LinkedHashMap<MachineId, Machine> machines = new LinkedHashMap<>();
    }

    private FleetRules(StateReader facts) {
        this.facts = facts;
        this.version = facts.fleetVersion();
    }

    /**
     * What a fleet file changes: it adds and changes; with {@code prune} it also removes what it does not name, within the
     * tenants it names.
     *
     * @throws RefusedException BAD_INPUT with all faults, one a line
     */
    public static FleetChange apply(StateReader facts, FleetSpec spec, boolean prune) {
        return apply(facts, spec, prune, tenant -> true);
    }

    /** @param mayKnow the tenants whose machines may be named to the caller */
    public static FleetChange apply(StateReader facts, FleetSpec spec, boolean prune, Predicate<String> mayKnow) {
        return apply(facts, spec, prune, mayKnow, null);
    }

    /**
     * The same for an owner, who may use only addresses and hosts that an operator granted.
     *
     * @param mayKnow the tenants whose machines may be named to the caller
     * @param limits how far an owner may go; null for an operator
     * @throws RefusedException FORBIDDEN or LIMIT_EXCEEDED if an owner exceeds their grants or quotas
     */
    public static FleetChange apply(
            StateReader facts, FleetSpec spec, boolean prune, Predicate<String> mayKnow, OwnerLimits limits) {
        FleetRules rules = new FleetRules(facts);
        rules.mayKnow = mayKnow;
        rules.limits = limits;
        spec.groups().forEach(rules::declare);
        rules.place(spec.machines());
        if (prune) {
            rules.prune(spec);
        }
        return rules.check();
    }

    /** Removes machines from the fleet, and the group of a machine that was alone in it. */
    public static FleetChange remove(StateReader facts, Collection<MachineId> machines) {
        FleetRules rules = new FleetRules(facts);
        machines.forEach(rules::take);
        return rules.check();
    }

    /** Removes a machine that was deleted, whatever is scheduled for it. */
    static FleetChange deleted(StateReader facts, MachineId machine) {
        FleetRules rules = new FleetRules(facts);
        rules.take(machine);
        return rules.difference();
    }

    /** Removes a group and its machines from the fleet. */
    public static FleetChange remove(StateReader facts, GroupId group) {
        FleetRules rules = new FleetRules(facts);
        if (facts.group(group).isEmpty()) {
            throw NotFound.group(facts, group);
        }
        List.copyOf(facts.machines(group)).forEach(m -> rules.take(m.id()));
        rules.desired(group).group = null;
        return rules.check();
    }

    /** The estimated additional memory of the fleet after a change. */
    public static long growth(StateReader facts, FleetChange change) {
        TenantUsage scratch = new TenantUsage(new HashMap<>());
        long growth = 0;
        for (GroupChange group : change.groups()) {
            String tenant = group.id().tenant();
            growth += scratch.count(tenant, group.group(), group.machines(), +1);
            growth -= scratch.count(tenant, facts.group(group.id()).orElse(null), facts.machines(group.id()), -1);
        }
        return growth;
    }

    /** Why a change cannot be made while events are open: machines it would remove or move, groups whose kind it would change. */
    public static List<ValidationProblem> hindrances(StateReader facts, Collection<GroupChange> changes) {
        List<ValidationProblem> hindrances = new ArrayList<>(ArrivalRules.refused(facts, changes));
        for (GroupChange change : changes) {
            for (Event event : facts.state(change.id()).events()) {
                if (event.work().unit() != null && event.phase() == Phase.SCHEDULED) {
                    // The rollout follows its machines; see UnitReconciler.
                    continue;
                }
                change.machines().stream()
                        .filter(m -> event.lists(m.name())
                                && event.phase() == Phase.STARTED
                                && event.work().updateDomain() != m.updateDomain()
                                && !isIn(facts, m.id(), change.id()))
                        .forEach(m -> hindrances.add(
                                open(m.id().toString(), event, "does not come to another update domain")));
                event.resources().stream()
                        .map(name -> new MachineId(change.id().tenant(), name))
                        .filter(id -> isIn(facts, id, change.id()) && !isKept(facts, id, change))
                        .forEach(id -> hindrances.add(open(id.toString(), event, "is not removed or moved")));
                change.machines().stream()
                        .filter(m -> event.work().unit() != null && changesFaultDomain(facts, m, event))
                        .forEach(m ->
                                hindrances.add(open(m.id().toString(), event, "does not change its fault domain")));
                change.machines().stream()
                        .filter(m -> changesSpot(facts, m, event))
                        .forEach(m -> hindrances.add(open(
                                m.id().toString(),
                                event,
                                m.spot() ? "does not become a spot machine" : "does not stop being a spot machine")));
                if (changesKind(facts, change)) {
                    hindrances.add(open("group " + change.id(), event, "does not become another kind"));
                }
            }
        }
        return hindrances;
    }

    /**
     * The groups to which machines come whose incarnation must be raised, and beyond which number: what a machine reads after a move
     * has a higher one than what it read before. The first document of every group is the same, so nothing must follow it.
     */
    public static Map<GroupId, Long> overtaken(StateReader facts, Collection<Move> moves) {
        Map<GroupId, Long> overtaken = new LinkedHashMap<>();
        for (Move move : moves) {
            long left = facts.state(move.from()).incarnation();
            if (left > 1 && left >= facts.state(move.to()).incarnation()) {
                overtaken.merge(move.to(), left, Math::max);
            }
        }
        return overtaken;
    }

    /** Whether a machine of a group stays in it and in its update domain. */
    private static boolean isKept(StateReader facts, MachineId id, GroupChange change) {
        int domain = facts.machine(id).orElseThrow().updateDomain();
        return change.machines().stream().anyMatch(m -> m.id().equals(id) && m.updateDomain() == domain);
    }

    private static boolean isIn(StateReader facts, MachineId id, GroupId group) {
        return facts.machine(id).filter(m -> m.group().equals(group)).isPresent();
    }

    /** Only spot machines are preempted, and only others are deleted with notice. */
    private static boolean changesSpot(StateReader facts, Machine machine, Event event) {
        return event.lists(machine.name())
                && (event.type() == EventType.PREEMPT && !machine.spot()
                        || event.type() == EventType.TERMINATE && machine.spot())
                && facts.machine(machine.id())
                        .filter(before -> before.spot() != machine.spot())
                        .isPresent();
    }

    /** A rollout may work on only one fault domain at a time. */
    private static boolean changesFaultDomain(StateReader facts, Machine machine, Event event) {
        return event.lists(machine.name())
                && facts.machine(machine.id())
                        .filter(before -> before.faultDomain() != machine.faultDomain())
                        .isPresent();
    }

    private static boolean changesKind(StateReader facts, GroupChange change) {
        return change.group() != null
                && facts.group(change.id())
                        .filter(g -> g.kind() != change.group().kind())
                        .isPresent();
    }

    private static ValidationProblem open(String who, Event event, String what) {
        return new ValidationProblem(
                0, who + " has the open event " + event.id() + " and " + what + " before that is over or cancelled");
    }

    private void declare(GroupSpec spec) {
        if (!validName(spec.line(), "group", spec.id().name())
                | !validName(spec.line(), "tenant", spec.id().tenant())) {
            return;
        }
        if (touched.containsKey(spec.id())) {
            fault(spec.line(), "group " + spec.id() + " is described twice");
            return;
        }
        Optional<Group> before = facts.group(spec.id());
        GroupKind kind =
                spec.kind() != null ? spec.kind() : before.map(Group::kind).orElse(GroupKind.AVAILABILITY_SET);
        int updateDomains = domains(
                spec.line(),
                "update-domains",
                spec.updateDomains(),
                before.filter(g -> g.kind() == kind).map(Group::updateDomains).orElse(usualUpdateDomains(kind)));
        int faultDomains = domains(
                spec.line(),
                "fault-domains",
                spec.faultDomains(),
                before.filter(g -> g.kind() == kind).map(Group::faultDomains).orElse(usualFaultDomains(kind)));
        desired(spec.id()).group = new Group(spec.id(), kind, updateDomains, faultDomains);
    }

    private static int usualUpdateDomains(GroupKind kind) {
        return kind == GroupKind.SINGLE ? 1 : 5;
    }

    private static int usualFaultDomains(GroupKind kind) {
        return kind == GroupKind.SINGLE ? 1 : 2;
    }

    private int domains(int line, String key, Integer given, int usual) {
        if (given != null && (given < 1 || given > MOST_DOMAINS)) {
            fault(line, key + " is " + given + "; it must be from 1 to " + MOST_DOMAINS);
            return usual;
        }
        return given == null ? usual : given;
    }

    private void place(List<MachineSpec> specs) {
        for (MachineSpec spec : specs) {
            if (!validName(spec.line(), "machine", spec.id().name())
                    | !validName(spec.line(), "tenant", spec.id().tenant())) {
                continue;
            }
            if (!validHost(spec)) {
                continue;
            }
            if (placed.containsKey(spec.id())) {
                fault(spec.line(), "machine " + spec.id() + " is described twice");
                continue;
            }
            // Nowhere yet; what is described twice is found, even if its group does not exist.
            placed.put(spec.id(), null);
            groupFor(spec).ifPresent(group -> place(spec, group));
        }
    }

    private Optional<Group> groupFor(MachineSpec spec) {
        if (spec.group() == null) {
            GroupId alone = new GroupId(spec.id().tenant(), spec.id().name());
            Desired desired = desired(alone);
            if (desired.group == null) {
                desired.group = new Group(alone, GroupKind.SINGLE, 1, 1);
            }
            return Optional.of(desired.group);
        }
        if (!spec.group().tenant().equals(spec.id().tenant())) {
            fault(spec.line(), "machine " + spec.id() + " cannot be in group " + spec.group() + " of another tenant");
            return Optional.empty();
        }
        Group group = desired(spec.group()).group;
        if (group == null) {
            fault(
                    spec.line(),
                    "machine " + spec.id() + " names group " + spec.group() + ", which does not exist"
                            + NotFound.suggestion(
                                    spec.group().name(), groupNames(spec.group().tenant()))
                            + "; describe it under groups");
        }
        return Optional.ofNullable(group);
    }

    private Collection<String> groupNames(String tenant) {
        Set<String> names = facts.groups().stream()
                .filter(g -> g.tenant().equals(tenant))
                .map(GroupId::name)
                .collect(Collectors.toSet());
        touched.values().stream()
                .filter(d -> d.group != null && d.group.id().tenant().equals(tenant))
                .forEach(d -> names.add(d.group.id().name()));
        return names;
    }

    private void place(MachineSpec spec, Group group) {
        Optional<Machine> before = facts.machine(spec.id());
        Optional<Machine> stays = before.filter(m -> m.group().equals(group.id()));
        Desired desired = desired(group.id());
        int joining = desired.machines.size();
        int updateDomain = domain(
                spec,
                "update-domain",
                spec.updateDomain(),
                group.updateDomains(),
                stays.map(Machine::updateDomain).orElse(joining % group.updateDomains()));
        int faultDomain = domain(
                spec,
                "fault-domain",
                spec.faultDomain(),
                group.faultDomains(),
                stays.map(Machine::faultDomain).orElse(joining % group.faultDomains()));
        if (before.isPresent() && stays.isEmpty()) {
            desired(before.get().group()).machines.remove(spec.id());
        }
        Machine wanted = new Machine(
                before.map(Machine::id).orElse(spec.id()),
                group.id(),
                updateDomain,
                faultDomain,
                spec.host(),
                addresses(spec),
                spec.listen(),
                spec.spot(),
                spec.tags(),
                before.map(m -> m.placement() + (m.host().equals(spec.host()) ? 0 : 1))
                        .orElse(0));
        // Most machines of most files are as they were, and then one object each is enough.
        Machine machine = before.filter(wanted::equals).orElse(wanted);
        desired.machines.put(machine.id(), machine);
        placed.put(machine.id(), group.id());
        if (limits != null) {
            specs.put(spec.id(), spec);
        }
        for (String address : machine.addresses()) {
            claim(spec, "address", address, addresses);
        }
        if (!machine.listen().isEmpty()) {
            claim(spec, "listener", machine.listen(), listeners);
        }
    }

    /** In the canonical form by which callers are looked up. */
    private List<String> addresses(MachineSpec spec) {
        List<String> spelt = new ArrayList<>(spec.addresses().size());
        for (String address : spec.addresses()) {
            Optional<String> canonical = Addresses.canonical(address);
            if (canonical.isPresent()) {
                spelt.add(canonical.get());
            } else {
                fault(
                        spec.line(),
                        "machine " + spec.id() + " has address '" + address
                                + "', which is neither an IPv4 nor an IPv6 address");
            }
        }
        return spelt;
    }

    private int domain(MachineSpec spec, String key, Integer given, int count, int otherwise) {
        int domain = given == null ? otherwise : given;
        if (domain < 0 || domain >= count) {
            fault(
                    spec.line(),
                    "machine " + spec.id() + " has " + key + " " + domain + "; its group has 0 to " + (count - 1));
            return 0;
        }
        return domain;
    }

    private void claim(MachineSpec spec, String what, String value, Map<String, MachineSpec> claimed) {
        MachineSpec other = claimed.put(value, spec);
        if (other != null) {
            fault(spec.line(), what + " " + value + " of machine " + spec.id() + " already belongs to " + other.id());
        }
    }

    /** What is claimed here must not be held by a machine that keeps it. */
    private void checkHolders(
            String what, Map<String, MachineSpec> claimed, Function<String, Optional<MachineId>> holder) {
        claimed.forEach((value, spec) -> holder.apply(value)
                .filter(id -> !id.equals(spec.id()) && keeps(id, value))
                .ifPresent(id -> fault(
                        spec.line(),
                        what + " " + value + " of machine " + spec.id()
                                + (mayKnow.test(id.tenant()) ? " already belongs to " + id : " is taken"))));
    }

    private boolean keeps(MachineId id, String value) {
        Machine now = facts.machine(id).orElseThrow();
        GroupId group = placed.getOrDefault(id, now.group());
        Machine then = touched.containsKey(group) ? touched.get(group).machines.get(id) : now;
        return then != null
                && (then.addresses().contains(value) || then.listen().equals(value));
    }

    private void prune(FleetSpec spec) {
        Set<String> tenants = new HashSet<>();
        Set<GroupId> named = new HashSet<>();
        spec.groups().forEach(g -> {
            tenants.add(g.id().tenant());
            named.add(g.id());
        });
        spec.machines().forEach(m -> tenants.add(m.id().tenant()));
        for (GroupId id : facts.groups()) {
            if (tenants.contains(id.tenant())) {
                Desired desired = desired(id);
                desired.machines.keySet().removeIf(m -> !placed.containsKey(m));
                if (desired.machines.isEmpty() && !named.contains(id)) {
                    desired.group = null;
                }
            }
        }
    }

    private void take(MachineId id) {
        Machine machine = facts.machine(id).orElseThrow(() -> NotFound.machine(facts, id));
        Desired desired = desired(machine.group());
        desired.machines.remove(id);
        if (desired.group != null && desired.group.kind() == GroupKind.SINGLE) {
            desired.group = null;
        }
    }

    private Desired desired(GroupId id) {
        return touched.computeIfAbsent(id, key -> {
            Desired desired = new Desired();
            desired.group = facts.group(key).orElse(null);
            facts.machines(key).forEach(m -> desired.machines.put(m.id(), m));
            return desired;
        });
    }

    /** The change, if nothing is wrong with it. */
    private FleetChange check() {
        if (limits != null) {
            refuseIfFaulty(Problem.BAD_INPUT);
            checkGiven(); // First, so that no error reveals which addresses are taken.
            refuseIfFaulty(Problem.FORBIDDEN);
        }
        checkHolders("address", addresses, facts::atAddress);
        checkHolders("listener", listeners, facts::atListener);
        touched.forEach((id, desired) -> {
            Group group = desired.group;
            if (group == null) {
                return;
            }
            if (group.kind() == GroupKind.SINGLE && desired.machines.size() > 1) {
                fault(
                        0,
                        "group " + id + " is of kind single and would hold " + desired.machines.size()
                                + " machines; a single group holds one");
            }
            for (Machine machine : desired.machines.values()) {
                if (machine.updateDomain() >= group.updateDomains() || machine.faultDomain() >= group.faultDomains()) {
                    fault(
                            0,
                            "machine " + machine.id() + " is in update domain " + machine.updateDomain()
                                    + " and fault domain " + machine.faultDomain() + "; group " + id
                                    + " would have only "
                                    + group.updateDomains() + " and " + group.faultDomains());
                }
            }
        });
        refuseIfFaulty(Problem.BAD_INPUT);
        FleetChange change = difference();
        if (limits != null) {
            checkQuotas(change);
            refuseIfFaulty(Problem.LIMIT_EXCEEDED);
        }
        faults.addAll(hindrances(facts, change.groups()));
        refuseIfFaulty(Problem.CONFLICT);
        return change;
    }

    /**
     * A machine may keep what it already has; anything else must have been granted. On a host that was not granted, an owner could
     * hold up the work of others, and with an address that was not granted, read another machine's events.
     */
    private void checkGiven() {
        addresses.forEach((address, spec) -> {
            boolean has = facts.machine(spec.id())
                    .filter(m -> m.addresses().contains(address))
                    .isPresent();
            if (!has && !given(spec).mayTakeAddress(address)) {
                fault(spec.line(), notGiven(spec, "address " + address, "addresses"));
            }
        });
        placed.forEach((id, group) -> {
            MachineSpec spec = specs.get(id);
            boolean there = spec.host().isEmpty()
                    || facts.machine(id)
                            .filter(m -> m.host().equals(spec.host()))
                            .isPresent();
            if (!there && !given(spec).mayPlaceOn(spec.host())) {
                fault(spec.line(), notGiven(spec, "host " + spec.host(), "hosts"));
            }
        });
    }

    private Tenant given(MachineSpec spec) {
        String tenant = spec.id().tenant();
        return facts.tenant(tenant).orElseGet(() -> Tenant.bare(tenant));
    }

    private static String notGiven(MachineSpec spec, String what, String option) {
        return "machine " + spec.id() + " cannot have " + what + ": it was not given to tenant "
                + spec.id().tenant() + "; an operator gives it with forewarn tenant set "
                + spec.id().tenant() + " --" + option;
    }

    private void checkQuotas(FleetChange change) {
        TenantUsage more = new TenantUsage(new HashMap<>());
        Set<String> tenants = new TreeSet<>();
        for (GroupChange group : change.groups()) {
            String tenant = group.id().tenant();
            tenants.add(tenant);
            more.count(tenant, facts.group(group.id()).orElse(null), facts.machines(group.id()), -1);
            more.count(tenant, group.group(), group.machines(), +1);
        }
        for (String tenant : tenants) {
            for (Quota quota : List.of(Quota.MACHINES, Quota.GROUPS, Quota.FLEET_BYTES)) {
                long used = facts.used(tenant, quota);
                long most = limits.quota(facts, tenant, quota);
                long added = more.used(tenant, quota);
                if (added > 0 && used + added > most) {
                    fault(0, OwnerLimits.full(tenant, quota, used, added, most));
                }
            }
        }
    }

    private void refuseIfFaulty(Problem problem) {
        if (!faults.isEmpty()) {
            throw new RefusedException(problem, message(faults));
        }
    }

    static String message(List<ValidationProblem> faults) {
        String lines = faults.stream()
                .limit(MOST_FAULTS_TOLD)
                .map(ValidationProblem::toString)
                .collect(Collectors.joining("\n"));
        int untold = faults.size() - MOST_FAULTS_TOLD;
        return untold > 0 ? lines + "\nand " + untold + " more" : lines;
    }

    private FleetChange difference() {
        changes = 0;
        List<GroupChange> groups = new ArrayList<>();
        Set<Move> moves = new LinkedHashSet<>();
        touched.forEach((id, desired) -> {
            Group before = facts.group(id).orElse(null);
            List<Machine> machinesBefore = facts.machines(id);
            List<Machine> machines = List.copyOf(desired.machines.values());
            if (!Objects.equals(before, desired.group) || !machines.equals(machinesBefore)) {
                groups.add(new GroupChange(id, desired.group, machines));
                machines.forEach(m -> facts.machine(m.id())
                        .map(Machine::group)
                        .filter(from -> !from.equals(id))
                        .ifPresent(from -> moves.add(new Move(from, id))));
                changes += (Objects.equals(before, desired.group) ? 0 : 1) + differing(machinesBefore, machines);
            }
        });
        return new FleetChange(version, groups, moves, changes);
    }

    private static int differing(List<Machine> before, List<Machine> after) {
        Map<MachineId, Machine> left = new HashMap<>();
        before.forEach(m -> left.put(m.id(), m));
        int count = 0;
        for (Machine machine : after) {
            Machine was = left.remove(machine.id());
            count += machine.equals(was) ? 0 : 1;
        }
        return count + left.size();
    }

    /** A machine may keep the value it has: it may have been stored before there was a rule. */
    private boolean validHost(MachineSpec spec) {
        if (spec.host().isEmpty()
                || NameRules.validHost(spec.host())
                || facts.machine(spec.id())
                        .filter(m -> m.host().equals(spec.host()))
                        .isPresent()) {
            return true;
        }
        fault(spec.line(), "host name '" + spec.host() + "' is not valid: " + NameRules.HOST_RULE);
        return false;
    }

    private boolean validName(int line, String what, String name) {
        if (NameRules.valid(name)) {
            return true;
        }
        boolean whole = name.indexOf('/') > 0;
        fault(
                line,
                what + " name '" + name + "' is not valid: " + NameRules.RULE
                        + (whole
                                ? "; give the tenant by itself: tenant: " + name.substring(0, name.indexOf('/'))
                                : ""));
        return false;
    }

    private void fault(int line, String sentence) {
        faults.add(new ValidationProblem(line, sentence));
    }
}
