package io.forewarn.core.rollout;

import io.forewarn.core.fleet.GroupId;
import io.forewarn.core.policy.StartCalendar;
import io.forewarn.core.policy.WindowSearch;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.function.Function;

/**
 * Holds the plan of a rollout, assuming that nothing is approved early, nothing fails and all machines poll again at
 * once. It is computed like the rules do it: each time something ends, the units are checked in order, and those whose
 * groups are all free are opened. Most units end together, so these times are few. Units that end together are assumed
 * to be reported together, as the engine checks units only after all reports: if one is reported later, a unit further
 * down that only waited for the other may go first.
 *
 * @param steps in the order they are opened
 * @param blocked what blocks which unit
 */
public record RolloutPlan(List<Step> steps, int units, int groups, int machines, Instant ends, List<String> blocked) {
    /**
     * One unit, or its evacuation.
     *
     * @param moves whether machines are only moved away
     * @param shares the affected machines
     */
    public record Step(
            String unit,
            boolean moves,
            Instant scheduled,
            Instant starts,
            Instant ends,
            List<GroupId> groups,
            int machines,
            List<AffectedMachines> shares) {}

    /** One pass of work on a unit. */
    public record Pass(
            boolean moves,
            List<AffectedMachines> shares,
            Duration notice,
            Duration takes,
            Function<Instant, List<StartCalendar>> calendars) {}

    /** A unit with its passes, in order. */
    public record Load(String unit, List<Pass> passes) {}

    private static final int MOST_BLOCKED = 100;

    /**
     * @param cameBack when the update domains of a group that were down last came back: they must recover, too
     * @param earliest when the first unit may be scheduled
     */
    public static RolloutPlan of(
            List<Load> loads,
            ConcurrencyLimit atOnce,
            Duration recovery,
            Function<GroupId, Map<Integer, Instant>> cameBack,
            Instant earliest) {
        return new Simulation(loads, atOnce, recovery, cameBack).run(earliest);
    }

    /** A group during planning. */
    private static final class Busy {
        int open;
        int domain = -1;
        int lastDomain = -1;
        Instant lastEnd;
        int earlierDomain = -1;
        Instant earlierEnd;

        /** Of the earlier ends only the latest of another domain matters. */
        void cameBack(int ended, Instant at) {
            if (lastEnd != null && lastDomain != ended) {
                earlierDomain = lastDomain;
                earlierEnd = lastEnd;
            }
            lastDomain = ended;
            lastEnd = at;
        }

        /** When all domains but this one have recovered, if that is later than {@code from}. */
        Instant rested(int next, Duration recovery, Instant from) {
            Instant other = lastDomain != next ? lastEnd : earlierDomain != next ? earlierEnd : null;
            return other != null && other.plus(recovery).isAfter(from) ? other.plus(recovery) : from;
        }
    }

    private record Open(Instant end, int load, int pass) {}

    private static final class Simulation {
        private final List<Load> loads;
        private final ConcurrencyLimit atOnce;
        private final Duration recovery;
        private final Function<GroupId, Map<Integer, Instant>> cameBack;
        private final int most;
        private final Map<GroupId, Busy> groups = new HashMap<>();
        private final List<Step> steps = new ArrayList<>();
        private final List<String> blocked = new ArrayList<>();
        private final PriorityQueue<Open> open =
                new PriorityQueue<>((a, b) -> a.end.equals(b.end) ? a.load - b.load : a.end.compareTo(b.end));
        private final Map<Integer, Integer> faultDomains = new HashMap<>();
        private final BitSet pending = new BitSet();
        private final int[] next;

        Simulation(
                List<Load> loads,
                ConcurrencyLimit atOnce,
                Duration recovery,
                Function<GroupId, Map<Integer, Instant>> cameBack) {
            this.loads = loads;
            this.atOnce = atOnce;
            this.recovery = recovery;
            this.cameBack = cameBack;
            this.most = atOnce.of(loads.size());
            this.next = new int[loads.size()];
            pending.set(0, loads.size());
        }

        RolloutPlan run(Instant earliest) {
            Instant now = earliest;
            int machines = 0;
            for (int i = 0; i < loads.size(); i++) {
                Load load = loads.get(i);
                for (Pass pass : load.passes) {
                    pass.shares.forEach(s -> groups.computeIfAbsent(s.group(), this::busy));
                }
                machines += load.passes.stream().mapToInt(RolloutPlan::count).sum();
                if (load.passes.isEmpty()) {
                    pending.clear(i);
                }
            }
            openAll(now);
            while (!open.isEmpty()) {
                now = open.peek().end;
                while (!open.isEmpty() && open.peek().end.equals(now)) {
                    close(open.poll());
                }
                openAll(now);
            }
            return new RolloutPlan(
                    List.copyOf(steps), loads.size(), groups.size(), machines, now, List.copyOf(blocked));
        }

        private Busy busy(GroupId group) {
            Busy busy = new Busy();
            cameBack.apply(group).entrySet().stream()
                    .sorted(Map.Entry.comparingByValue())
                    .forEach(end -> busy.cameBack(end.getKey(), end.getValue()));
            return busy;
        }

        private void openAll(Instant now) {
            for (int i = pending.nextSetBit(0); i >= 0 && open.size() < most; i = pending.nextSetBit(i + 1)) {
                Pass pass = loads.get(i).passes.get(next[i]);
                if (isFree(pass)) {
                    open(i, pass, now);
                }
            }
        }

        private boolean isFree(Pass pass) {
            for (AffectedMachines affected : pass.shares) {
                Busy busy = groups.get(affected.group());
                if (busy.open > 0 && busy.domain != affected.updateDomain()) {
                    return false;
                }
            }
            if (atOnce.kind() != ConcurrencyLimit.Kind.FAULT_DOMAIN || open.isEmpty()) {
                return true;
            }
            Set<Integer> together = faultDomains(pass);
            together.addAll(faultDomains.keySet());
            return together.size() == 1;
        }

        private static Set<Integer> faultDomains(Pass pass) {
            Set<Integer> domains = new HashSet<>();
            pass.shares.forEach(s -> s.machines().forEach(m -> domains.add(m.faultDomain())));
            return domains;
        }

        private void open(int load, Pass pass, Instant now) {
            Instant from = now.plus(pass.notice);
            for (AffectedMachines affected : pass.shares) {
                from = groups.get(affected.group()).rested(affected.updateDomain(), recovery, from);
            }
            pending.clear(load);
            Optional<Instant> starts = WindowSearch.earliest(from, pass.calendars.apply(now));
            if (starts.isEmpty()) {
                if (blocked.size() < MOST_BLOCKED) {
                    blocked.add(loads.get(load).unit + ": its groups have no common maintenance window within a year");
                }
                return;
            }
            for (AffectedMachines affected : pass.shares) {
                Busy busy = groups.get(affected.group());
                busy.open++;
                busy.domain = affected.updateDomain();
            }
            faultDomains(pass).forEach(d -> faultDomains.merge(d, 1, Integer::sum));
            Instant ends = starts.get().plus(pass.takes);
            open.add(new Open(ends, load, next[load]));
            Set<GroupId> hit = new LinkedHashSet<>();
            pass.shares.forEach(s -> hit.add(s.group()));
            steps.add(new Step(
                    loads.get(load).unit,
                    pass.moves,
                    now,
                    starts.get(),
                    ends,
                    List.copyOf(hit),
                    count(pass),
                    pass.shares));
        }

        private void close(Open ended) {
            Pass pass = loads.get(ended.load).passes.get(ended.pass);
            for (AffectedMachines affected : pass.shares) {
                Busy busy = groups.get(affected.group());
                busy.open--;
                busy.cameBack(affected.updateDomain(), ended.end);
            }
            faultDomains(pass).forEach(d -> faultDomains.computeIfPresent(d, (k, n) -> n == 1 ? null : n - 1));
            if (++next[ended.load] < loads.get(ended.load).passes.size()) {
                pending.set(ended.load);
            }
        }
    }

    private static int count(Pass pass) {
        return pass.shares.stream().mapToInt(s -> s.machines().size()).sum();
    }
}
