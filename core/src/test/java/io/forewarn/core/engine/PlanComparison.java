package io.forewarn.core.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.forewarn.core.event.Event;
import io.forewarn.core.event.EventId;
import io.forewarn.core.fleet.GroupId;
import io.forewarn.core.fleet.Machine;
import io.forewarn.core.rollout.Rollout;
import io.forewarn.core.rollout.RolloutPlan;
import io.forewarn.core.rollout.RolloutSpec;
import io.forewarn.core.rules.DriverReport;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;

/** Plans a rollout, lets it run with nothing unplanned happening, and compares. */
final class PlanComparison {
    private static final Duration LONGEST_STEP = Duration.ofHours(6);

    private final EngineHarness world;
    private final Collection<GroupId> polling;

    /** How long those events take that do not take the usual time of their cause. */
    final Map<EventId, Duration> lasting = new HashMap<>();

    /** @param polling groups whose machines poll */
    PlanComparison(EngineHarness world, Collection<GroupId> polling) {
        this.world = world;
        this.polling = polling;
    }

    RolloutPlan plan(RolloutSpec spec) {
        return world.engine.rules().plan(world.engine.view(), spec, world.now());
    }

    /** Plans, starts and runs it. */
    RolloutPlan comesTrue(RolloutSpec spec, String which) {
        RolloutPlan plan = start(spec);
        ranAsPlanned(spec, plan, which);
        return plan;
    }

    RolloutPlan start(RolloutSpec spec) {
        RolloutPlan plan = plan(spec);
        world.ask(world.engine.roll(spec, EngineHarness.PERSON, null));
        return plan;
    }

    /** Whether the plan says that a rollout does not end unless somebody repairs machines: that would be unplanned. */
    boolean waitsForRepairs(RolloutSpec spec) {
        return plan(spec).blocked().stream().anyMatch(why -> why.contains("before a machine is repaired"));
    }

    /** Lets a rollout run to its end. */
    void ranAsPlanned(RolloutSpec spec, RolloutPlan plan, String which) {
        String name = spec.name();
        for (int i = 0; i < 2000 && !rollout(name).isOver(); i++) {
            step();
        }
        assertEquals(Rollout.Status.DONE, rollout(name).status(), which);
        SortedSet<String> planned = new TreeSet<>();
        for (RolloutPlan.Step step : plan.steps()) {
            step.shares()
                    .forEach(share -> planned.add(step.starts() + " " + share.group() + " "
                            + share.machines().stream()
                                    .map(Machine::name)
                                    .sorted()
                                    .toList()));
        }
        SortedSet<String> happened = new TreeSet<>();
        world.log().stream()
                .filter(e -> e.what().startsWith("STARTED") && name.equals(e.rollout()))
                .forEach(e -> happened.add(e.at() + " " + e.group() + " "
                        + e.machines().stream().sorted().toList()));
        assertEquals(planned, happened, which);
        assertEquals(plan.ends(), rollout(name).endedAt(), which);
    }

    private Rollout rollout(String name) {
        return world.engine.view().rollout(name).orElseThrow();
    }

    /** To the next moment at which something ends or is due. */
    void step() {
        Instant next = world.engine.due().orElse(world.now().plusSeconds(60));
        for (DriverTask task : world.running.values()) {
            next = end(task).isBefore(next) ? end(task) : next;
        }
        if (next.isAfter(world.now().plus(LONGEST_STEP))) {
            // Long waits must not make anybody fall silent.
            world.pass(LONGEST_STEP);
            poll();
            return;
        }
        if (next.isAfter(world.now())) {
            world.pass(Duration.between(world.now(), next));
        }
        Instant now = next;
        List<DriverTask> ended = world.running.values().stream()
                .filter(task -> !end(task).isAfter(now))
                .toList();
        if (!ended.isEmpty()) {
            ended.forEach(task -> world.running.remove(task.event().id()));
            // The plan takes it that machines poll again at once: at the very moment their work ends.
            poll();
            // And that what ends at one moment is known to have ended before anything is opened at it: told one
            // by one, the first would let units go ahead of those that still wait for the second.
            world.report(ended, DriverReport.DONE);
        } else if (!next.isAfter(world.now()) && world.running.isEmpty()) {
            world.turn();
        }
    }

    private Instant end(DriverTask task) {
        Event event = task.event();
        Duration takes = lasting.getOrDefault(
                event.id(), world.durations.get(event.work().cause()));
        return event.attempt().startedAt().plus(takes);
    }

    void poll() {
        for (GroupId group : polling) {
            for (Machine machine : world.engine.view().machines(group)) {
                world.poll(group, machine.name());
            }
        }
    }
}
