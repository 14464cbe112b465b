package io.forewarn.core.rules;

import io.forewarn.core.Problem;
import io.forewarn.core.RefusedException;
import io.forewarn.core.event.Cause;
import io.forewarn.core.event.Event;
import io.forewarn.core.event.Phase;
import io.forewarn.core.fleet.GroupId;
import io.forewarn.core.fleet.Machine;
import io.forewarn.core.rollout.AffectedMachines;
import io.forewarn.core.rollout.PreparedRollout;
import io.forewarn.core.rollout.Rollout;
import io.forewarn.core.rollout.RolloutPlan;
import io.forewarn.core.rollout.RolloutPlan.Step;
import io.forewarn.core.rollout.RolloutSpec;
import io.forewarn.core.rollout.RolloutUnit;
import io.forewarn.core.rollout.Turn;
import io.forewarn.core.rules.TurnPlanner.Place;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Plans a rollout: gives every unit its turn, in the order of the units, each at the first time that is free. A plan shows the
 * result and changes nothing; a start stores it.
 */
final class RolloutPlanner {
    private static final String BEGINS = "no unit of the rollout starts earlier (--at)";
    private static final String SELF_SERVICE = "owners may redeploy their machines until then (--self-service-until)";
    private static final String AT_ONCE = "nothing holds it";

    private static final int MOST_BLOCKED = 100;
    private static final int MOST_LATE_NAMED = 5;

    /** How many machines a notification about a plan names at most, and all those of one rollout together. */
    private static final int MOST_NAMED = 200;

    private static final int MOST_NAMED_IN_ALL = 10_000;

    private final StateReader facts;
    private final ServiceTerms terms;
    private final RolloutSpec spec;
    private final Instant now;
    private final RolloutPacing pacing;
    private final Map<Cause, Map<GroupId, Duration>> notices = new HashMap<>();
    private final List<Step> steps = new ArrayList<>();
    private final Set<String> blocked = new LinkedHashSet<>();
    private final Set<GroupId> groups = new HashSet<>();
    private int machines;

    RolloutPlanner(StateReader facts, ServiceTerms terms, RolloutSpec spec, Instant now) {
        this.facts = facts;
        this.terms = terms;
        this.spec = spec;
        this.now = now;
        this.pacing = new RolloutPacing(facts, terms, spec, now);
    }

    /** What plans depend on; two equal values mean that the same plan would come out. */
    static long version(StateReader facts) {
        List<String> rollouts = facts.rollouts().stream()
                .filter(r -> !r.isOver())
                .map(Rollout::name)
                .sorted()
                .toList();
        return facts.fleetVersion() << 32
                ^ Integer.toUnsignedLong(Objects.hash(rollouts, new HashSet<>(facts.policies())));
    }

    /**
     * The units of a rollout with their turns.
     *
     * @throws RefusedException if it names something that does not exist, affects no machine, needs an evacuation that is not
     *     allowed, or cannot be done by the latest start it asks for
     */
    PreparedRollout prepare() {
        rolloutRules().check(spec);
        List<RolloutUnit> units = place();
        refuseLate();
        return new PreparedRollout(version(facts), units, ends(), times());
    }

    private Instant ends() {
        return steps.stream().map(Step::ends).max(Instant::compareTo).orElse(now);
    }

    /**
     * When which machines of each tenant are worked on, for telling their owners. All of it is written in one commit, so the more
     * tenants there are, the fewer machines of each are named.
     */
    private Map<String, SortedMap<Instant, List<String>>> times() {
        long tenants = groups.stream().map(GroupId::tenant).distinct().count();
        long most = Math.max(1, Math.min(MOST_NAMED, MOST_NAMED_IN_ALL / Math.max(1, tenants)));
        Map<String, SortedMap<Instant, List<String>>> all = new TreeMap<>();
        Map<String, Long> named = new HashMap<>();
        List<Step> byStart =
                steps.stream().sorted(Comparator.comparing(Step::starts)).toList();
        for (Step step : byStart) {
            for (AffectedMachines affected : step.shares()) {
                String tenant = affected.group().tenant();
                for (Machine machine : affected.machines()) {
                    if (named.merge(tenant, 1L, Long::sum) <= most) {
                        all.computeIfAbsent(tenant, t -> new TreeMap<>())
                                .computeIfAbsent(step.starts(), t -> new ArrayList<>())
                                .add(machine.name());
                    }
                }
            }
        }
        return all;
    }

    RolloutPlan plan() {
        RolloutRules rolloutRules = rolloutRules();
        rolloutRules.check(spec);
        List<RolloutUnit> units = place();
        rolloutRules.overlap(spec, units).ifPresent(blocked::add);
        groups.forEach(this::down);
        List<Step> byStart =
                steps.stream().sorted(Comparator.comparing(Step::starts)).toList();
        return new RolloutPlan(
                byStart,
                units.size(),
                groups.size(),
                machines,
                ends(),
                List.copyOf(blocked),
                late(),
                warnings(byStart));
    }

    private RolloutRules rolloutRules() {
        return new RolloutRules(new DecisionContext(new ChangeSet(facts, 0, 0), terms, now, Rules.scratchIds()));
    }

    private List<RolloutUnit> place() {
        List<String> names = RolloutPartitioner.select(facts, spec);
        RolloutPartitioner partitioner = new RolloutPartitioner(facts, spec);
        TurnPlanner planner = new TurnPlanner(facts, terms, spec, now, names.size());
        List<List<AffectedMachines>> affected = new ArrayList<>(names.size());
        BitSet mended = new BitSet();
        for (String name : names) {
            List<AffectedMachines> all = partitioner.of(name);
            mended.set(affected.size(), all.stream().anyMatch(planner::isMended));
            all.forEach(each -> groups.add(each.group()));
            machines += all.stream().mapToInt(s -> s.machines().size()).sum();
            busy(name, all);
            affected.add(all);
        }
        if (mended.isEmpty()) {
            planner.nothingIsMended();
        }
        RolloutUnit[] units = new RolloutUnit[names.size()];
        for (int i : mendingFirst(planner, names, affected, mended)) {
            units[i] = RolloutUnit.pending(names.get(i), turn(planner, names.get(i), affected.get(i)));
        }
        return List.of(units);
    }

    /**
     * The units in the order in which they are planned. Machines that are down keep other update domains waiting until their own work
     * has mended them, so that their units come first; and of these, those first that do not wait for others themselves.
     */
    private List<Integer> mendingFirst(
            TurnPlanner planner, List<String> names, List<List<AffectedMachines>> affected, BitSet mended) {
        List<Integer> order = new ArrayList<>(affected.size());
        List<Integer> mending = mended.stream().boxed().collect(Collectors.toCollection(ArrayList::new));
        while (!mending.isEmpty()) {
            Map<GroupId, Map<Integer, Set<Integer>>> down = new HashMap<>();
            for (int unit : mending) {
                affected.get(unit).stream().filter(planner::isMended).forEach(share -> down.computeIfAbsent(
                                share.group(), g -> new HashMap<>())
                        .computeIfAbsent(share.updateDomain(), d -> new HashSet<>())
                        .add(unit));
            }
            List<Integer> free = mending.stream()
                    .filter(unit -> affected.get(unit).stream()
                            .noneMatch(share -> !RolloutPacing.haveAllFailed(facts, share) && waits(down, unit, share)))
                    .toList();
            if (free.isEmpty()) {
                waitForEachOther(mending.stream().map(names::get).toList());
            }
            List<Integer> next = free.isEmpty() ? List.of(mending.get(0)) : free;
            order.addAll(next);
            mending.removeAll(new HashSet<>(next));
        }
        for (int unit = 0; unit < affected.size(); unit++) {
            if (!mended.get(unit)) {
                order.add(unit);
            }
        }
        return order;
    }

    private void waitForEachOther(List<String> units) {
        int more = units.size() - MOST_LATE_NAMED;
        String named = String.join(", ", units.subList(0, Math.min(MOST_LATE_NAMED, units.size())));
        blocked.add(
                "units wait for each other's failed machines (" + named + (more > 0 ? ", and " + more + " more" : "")
                        + "), and none can start before a machine is repaired (vm restart)");
    }

    /** Whether other units are to mend another update domain of a share's group. */
    private static boolean waits(Map<GroupId, Map<Integer, Set<Integer>>> down, int unit, AffectedMachines share) {
        return down.getOrDefault(share.group(), Map.of()).entrySet().stream()
                .anyMatch(domain -> domain.getKey() != share.updateDomain()
                        && domain.getValue().stream().anyMatch(other -> other != unit));
    }

    /** The earliest start of work with such notice. */
    static Instant earliest(RolloutSpec spec, Instant now, Duration notice) {
        Instant from =
                spec.selfServiceUntil() == null || spec.selfServiceUntil().isBefore(now)
                        ? now
                        : spec.selfServiceUntil();
        Instant noticed = from.plus(notice);
        return spec.at() != null && spec.at().isAfter(noticed) ? spec.at() : noticed;
    }

    private Turn turn(TurnPlanner planner, String name, List<AffectedMachines> all) {
        if (all.isEmpty()) {
            return null;
        }
        List<AffectedMachines> rest = new ArrayList<>(all);
        List<Instant> evacuations = new ArrayList<>();
        List<GroupId> evacuated = new ArrayList<>();
        Map<String, Instant> leaving = new HashMap<>();
        Instant from = now;
        for (List<AffectedMachines> moving :
                EvacuationOrder.planned(facts, spec).all(all)) {
            Place place = place(
                    planner,
                    name,
                    true,
                    moving,
                    Cause.HOST_REDEPLOY,
                    later(from, pacing.readableFrom(moving)),
                    evacuated);
            evacuations.add(place.at());
            evacuated.addAll(TurnRules.groups(moving));
            leaving.putAll(EvacuationOrder.names(moving, place.at()));
            from = place.ends();
            rest.removeAll(moving);
        }
        Place place =
                place(planner, name, false, rest, spec.cause(), later(from, pacing.readableFrom(rest)), evacuated);
        return Turn.planned(place.at(), evacuations, place.why(), place.group()).leaving(leaving);
    }

    private static Instant later(Instant a, Instant b) {
        return a.isAfter(b) ? a : b;
    }

    /**
     * @param from when the machines can be shown it at the earliest
     * @param evacuated the groups that are evacuated before
     */
    private Place place(
            TurnPlanner planner,
            String name,
            boolean moves,
            List<AffectedMachines> touched,
            Cause cause,
            Instant from,
            List<GroupId> evacuated) {
        Duration notice = Duration.ZERO;
        for (AffectedMachines affected : touched) {
            Duration each = notices.computeIfAbsent(cause, c -> new HashMap<>())
                    .computeIfAbsent(affected.group(), g -> pacing.notice(g, cause));
            notice = each.compareTo(notice) > 0 ? each : notice;
        }
        Place found =
                planner.find(touched, cause, earliest(spec, from, notice)).orElseThrow(() -> noWindow(name, touched));
        Place place = found.why().isEmpty() ? becauseOf(found, from, notice, evacuated) : found;
        planner.take(touched, cause, place);
        Instant shown = place.at().minus(notice);
        steps.add(new Step(
                name,
                moves,
                shown.isBefore(from) ? from : shown,
                place.at(),
                place.ends(),
                touched.stream().map(AffectedMachines::group).distinct().toList(),
                touched.stream().mapToInt(s -> s.machines().size()).sum(),
                List.copyOf(touched),
                place.why()));
        return place;
    }

    /** Says what sets the time of a unit that waits for no other work and no window. */
    private Place becauseOf(Place found, Instant from, Duration notice, List<GroupId> evacuated) {
        Instant selfService = spec.selfServiceUntil();
        String why;
        if (!evacuated.isEmpty()) {
            why = TurnRules.EVACUATED_FIRST;
        } else if (earliest(spec, from, notice).equals(spec.at())) {
            why = BEGINS;
        } else if (selfService != null && selfService.isAfter(from)) {
            why = notice.isZero() ? SELF_SERVICE : SELF_SERVICE + ", and its machines get their notice after that";
        } else {
            why = notice.isZero() ? AT_ONCE : Turn.NOTICE;
        }
        return new Place(
                found.at(),
                found.takes(),
                why,
                evacuated.isEmpty() ? null : TurnPlanner.about(evacuated),
                found.owners());
    }

    private RefusedException noWindow(String unit, List<AffectedMachines> touched) {
        return new RefusedException(
                Problem.CONFLICT,
                unit + " has no maintenance window that suits "
                        + (spec.windows().isEmpty() ? "" : "the rollout and ") + "all its groups: "
                        + touched.stream()
                                .map(s -> s.group().toString())
                                .distinct()
                                .collect(Collectors.joining(", "))
                        + "; widen a window");
    }

    private List<Step> late() {
        return steps.stream().filter(step -> spec.isTooLate(step.starts())).toList();
    }

    /** A schedule that cannot be kept is refused with the reason and the nearest that works. */
    private void refuseLate() {
        List<Step> late = late();
        if (late.isEmpty()) {
            return;
        }
        Instant last = late.stream().map(Step::starts).max(Instant::compareTo).orElseThrow();
        String named = late.stream()
                .limit(MOST_LATE_NAMED)
                .map(step ->
                        step.unit() + " at " + step.starts() + (step.why().isEmpty() ? "" : " (" + step.why() + ")"))
                .collect(Collectors.joining(", "));
        throw new RefusedException(
                Problem.CONFLICT,
                late.size() + " of " + steps.size() + " units cannot start by " + spec.until()
                        + " (until, --until); the earliest they can: " + named
                        + (late.size() > MOST_LATE_NAMED ? ", and more; see the plan" : "")
                        + ". All of them fit until " + last
                        + "; or start the late ones afterwards: late (--late) any or next-window");
    }

    private List<String> warnings(List<Step> byStart) {
        List<String> warnings = new ArrayList<>();
        visibleTogether(byStart).ifPresent(warnings::add);
        return warnings;
    }

    /** Handlers that drain as soon as they see an event would empty a group that is shown two of its domains together. */
    private Optional<String> visibleTogether(List<Step> byStart) {
        Map<GroupId, Step> shown = new HashMap<>();
        Map<GroupId, Set<Integer>> domains = new HashMap<>();
        Set<GroupId> together = new LinkedHashSet<>();
        for (Step step : byStart) {
            for (AffectedMachines affected : step.shares()) {
                GroupId group = affected.group();
                Duration notice = notices.get(step.moves() ? Cause.HOST_REDEPLOY : spec.cause())
                        .get(group);
                if (notice.isZero()) {
                    continue;
                }
                Step before = shown.get(group);
                boolean other = before != null && !domains.get(group).contains(affected.updateDomain());
                if (other && step.starts().minus(notice).isBefore(before.ends())) {
                    together.add(group);
                }
                if (before == null || step.ends().isAfter(before.ends())) {
                    shown.put(group, step);
                    domains.put(group, new HashSet<>(Set.of(affected.updateDomain())));
                } else if (step.ends().equals(before.ends())) {
                    domains.get(group).add(affected.updateDomain());
                }
            }
        }
        if (together.isEmpty()) {
            return Optional.empty();
        }
        GroupId first = together.iterator().next();
        return Optional.of("group " + first
                + (together.size() == 1 ? "" : " and " + (together.size() - 1) + " more")
                + " would see events of two update domains at once; handlers that drain on sight would empty"
                + " the group: give less notice (--notice), or let the owner set --shown-ahead in a policy");
    }

    /** What is open now and must end first. */
    private void busy(String unit, List<AffectedMachines> shares) {
        for (AffectedMachines affected : shares) {
            for (Event event : facts.state(affected.group()).events()) {
                boolean rehearsed = event.work().rehearsal() && !spec.rehearsal();
                if (rehearsed || event.phase() != Phase.STARTED) {
                    continue;
                }
                boolean ours = affected.machines().stream().anyMatch(m -> event.lists(m.name()));
                boolean other =
                        event.work().cause().planned() && event.work().updateDomain() != affected.updateDomain();
                if ((ours || other) && blocked.size() < MOST_BLOCKED) {
                    blocked.add(unit + ": event " + event.id() + " of group " + affected.group() + " must end first");
                }
            }
        }
    }

    /** A machine that is down, or must poll again after its work, keeps the other update domains of its group up. */
    private void down(GroupId group) {
        List<Machine> all = facts.machines(group);
        if (all.stream().mapToInt(Machine::updateDomain).distinct().limit(2).count() < 2) {
            return;
        }
        GroupState.Down last = facts.state(group).lastDown();
        boolean awaits = last != null && !last.awaited().isEmpty();
        DomainBlockers domains = new StartBlockers(facts, terms, now).domains();
        String held = ", which holds the other update domains of group " + group;
        for (Machine machine : all) {
            if (blocked.size() >= MOST_BLOCKED) {
                return;
            }
            if (facts.condition(machine.id()).isDown()) {
                blocked.add(machine.id() + " is down" + held);
            } else if (awaits && domains.isAwaited(machine)) {
                blocked.add(machine.id() + " has not polled again since its work ended" + held);
            }
        }
    }
}
