package io.forewarn.core.rules;

import io.forewarn.core.event.Cause;
import io.forewarn.core.event.Event;
import io.forewarn.core.event.Phase;
import io.forewarn.core.fleet.GroupId;
import io.forewarn.core.rollout.AffectedMachines;
import io.forewarn.core.rollout.PreparedRollout;
import io.forewarn.core.rollout.RolloutPlan;
import io.forewarn.core.rollout.RolloutPlan.Load;
import io.forewarn.core.rollout.RolloutPlan.Pass;
import io.forewarn.core.rollout.RolloutSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Plans a rollout without changing anything: what would happen if it started now. */
final class RolloutPlanner {
    /** The duration of work for which neither the driver nor the terms have one. */
    private static final Duration UNKNOWN = RolloutForecast.UNKNOWN;

    /** Larger rollouts are planned without what is open already, and say so. */
    private static final int MOST_FORECAST = 2_000;

    private static final int MOST_BLOCKED = 100;

    private final StateReader facts;
    private final ServiceTerms terms;
    private final WorkDurations durations;
    private final RolloutSpec spec;
    private final Instant now;
    private final RolloutPacing pacing;
    private final Map<Cause, Map<GroupId, Duration>> notices = new HashMap<>();

    RolloutPlanner(StateReader facts, ServiceTerms terms, WorkDurations durations, RolloutSpec spec, Instant now) {
        this.facts = facts;
        this.terms = terms;
        this.durations = durations;
        this.spec = spec;
        this.now = now;
        this.pacing = new RolloutPacing(facts, terms, spec, now);
    }

    RolloutPlan plan() {
        RolloutRules rolloutRules =
                new RolloutRules(new DecisionContext(new ChangeSet(facts, 0, 0), terms, now, Rules.NO_IDS));
        rolloutRules.check(spec);
        PreparedRollout prepared = RolloutPartitioner.prepare(facts, terms, spec, now);
        RolloutPartitioner partitioner = new RolloutPartitioner(facts, spec);
        List<Load> loads = new ArrayList<>(prepared.units().size());
        Set<GroupId> groups = new LinkedHashSet<>();
        Set<String> blocked = new LinkedHashSet<>();
        rolloutRules.overlap(spec, prepared).ifPresent(blocked::add);
        for (String unit : prepared.units()) {
            List<AffectedMachines> all = new ArrayList<>(partitioner.of(unit));
            all.forEach(s -> groups.add(s.group()));
            busy(unit, all, blocked);
            loads.add(new Load(unit, passes(all)));
        }
        groups.forEach(group -> down(group, blocked));
        if (rolloutRules.overlap(spec, prepared).isEmpty() && RolloutForecast.isNeeded(facts, groups)) {
            if (prepared.units().size() <= MOST_FORECAST) {
                return forecast(prepared, loads, groups, blocked);
            }
            blocked.add(
                    "what is open already is not reckoned with: the rollout has more than " + MOST_FORECAST + " units");
        }
        Instant from = spec.selfServiceUntil() == null ? now : spec.selfServiceUntil();
        RolloutPlan plan = RolloutPlan.of(
                loads,
                spec.atOnce(),
                pacing.recovery(),
                group -> facts.state(group).cameBack(spec.rehearsal()),
                from);
        blocked.addAll(plan.blocked());
        return new RolloutPlan(
                plan.steps(), plan.units(), plan.groups(), plan.machines(), plan.ends(), List.copyOf(blocked));
    }

    /** Something is open already: only the rules themselves know who goes first. */
    private RolloutPlan forecast(PreparedRollout prepared, List<Load> loads, Set<GroupId> groups, Set<String> blocked) {
        RolloutForecast forecast = new RolloutForecast(facts, terms, durations, spec, now);
        forecast.run(prepared);
        forecast.blocked().stream().limit(MOST_BLOCKED).forEach(blocked::add);
        int machines = loads.stream()
                .flatMap(load -> load.passes().stream())
                .flatMap(pass -> pass.shares().stream())
                .mapToInt(share -> share.machines().size())
                .sum();
        return new RolloutPlan(
                forecast.steps(), loads.size(), groups.size(), machines, forecast.ends(), List.copyOf(blocked));
    }

    private List<Pass> passes(List<AffectedMachines> all) {
        List<Pass> passes = new ArrayList<>();
        for (List<AffectedMachines> moving = pacing.toMove(all); !moving.isEmpty(); moving = pacing.toMove(all)) {
            passes.add(pass(true, Cause.HOST_REDEPLOY, moving));
            all.removeAll(moving);
        }
        if (!all.isEmpty()) {
            passes.add(pass(false, spec.cause(), all));
        }
        return passes;
    }

    private Pass pass(boolean moves, Cause cause, List<AffectedMachines> all) {
        Map<GroupId, Duration> known = notices.computeIfAbsent(cause, c -> new HashMap<>());
        Duration notice = Duration.ZERO;
        for (AffectedMachines affected : all) {
            Duration each = known.computeIfAbsent(affected.group(), g -> pacing.notice(g, cause));
            notice = each.compareTo(notice) > 0 ? each : notice;
        }
        List<AffectedMachines> shares = List.copyOf(all);
        return new Pass(moves, shares, notice, takes(cause), asked -> pacing.calendars(shares, cause, asked));
    }

    private Duration takes(Cause cause) {
        if (spec.interruption() != null && cause == spec.cause()) {
            return spec.interruption();
        }
        return durations.of(cause, spec.rehearsal()).orElseGet(() -> terms.interruption()
                .getOrDefault(cause.type(), UNKNOWN));
    }

    /** What is open now and must end first. */
    private void busy(String unit, List<AffectedMachines> shares, Set<String> blocked) {
        for (AffectedMachines affected : shares) {
            List<Event> open = facts.state(affected.group()).events();
            for (Event event : open) {
                boolean rehearsed = event.work().rehearsal() && !spec.rehearsal();
                if (rehearsed || event.work().unit() == null && event.phase() != Phase.STARTED) {
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

    /** A machine that is down keeps the other update domains of its group up. */
    private void down(GroupId group, Set<String> blocked) {
        Set<Integer> domains = new HashSet<>();
        facts.machines(group).forEach(m -> domains.add(m.updateDomain()));
        if (domains.size() < 2) {
            return;
        }
        facts.machines(group).forEach(machine -> {
            if (facts.condition(machine.id()).isDown() && blocked.size() < MOST_BLOCKED) {
                blocked.add(machine.id() + " is down, which holds the other update domains of group " + group);
            }
        });
    }
}
