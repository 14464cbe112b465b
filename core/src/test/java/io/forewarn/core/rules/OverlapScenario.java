package io.forewarn.core.rules;

import io.forewarn.core.RefusedException;
import io.forewarn.core.engine.EngineHarness;
import io.forewarn.core.event.Cause;
import io.forewarn.core.event.Event;
import io.forewarn.core.event.EventId;
import io.forewarn.core.event.Phase;
import io.forewarn.core.fleet.FleetSpec;
import io.forewarn.core.fleet.FleetSpec.GroupSpec;
import io.forewarn.core.fleet.FleetSpec.MachineSpec;
import io.forewarn.core.fleet.GroupKind;
import io.forewarn.core.history.HistoryEntry;
import io.forewarn.core.policy.MaintenanceWindow;
import io.forewarn.core.policy.Policy;
import io.forewarn.core.policy.Scope;
import io.forewarn.core.rollout.RolloutSpec;
import io.forewarn.core.rollout.RolloutTarget;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;

/** One machine with an event that is open, other work that comes for it, and what becomes of both. */
final class OverlapScenario {
    /** The event that the other work finds. */
    enum Found {
        RESTART_SCHEDULED("an owner's restart, Scheduled", Cause.RESTART),
        REDEPLOY_SCHEDULED("an owner's redeploy, Scheduled", Cause.REDEPLOY),
        DELETION_SCHEDULED("a deletion, Scheduled", Cause.TERMINATE),
        RESTART_STARTED("an owner's restart or redeploy, Started", Cause.RESTART),
        DELETION_STARTED("a deletion, Started", Cause.TERMINATE),
        FREEZE_SCHEDULED("a freeze, Scheduled", Cause.FREEZE),
        FREEZE_HELD("a freeze, approved, held by a window", Cause.FREEZE),
        FREEZE_STARTED("a freeze, Started", Cause.FREEZE),
        PREEMPTION_SCHEDULED("a preemption, Scheduled", Cause.PREEMPT),
        PREEMPTION_STARTED("a preemption, Started", Cause.PREEMPT),
        FAILURE_STARTED("a failure, Started", Cause.FAILURE),
        REHEARSAL_SCHEDULED("a rehearsal, Scheduled", Cause.RESTART),
        REHEARSAL_STARTED("a rehearsal, Started", Cause.RESTART),
        ROLLOUT_SCHEDULED("a rollout's event, Scheduled", Cause.HOST_REBOOT),
        ROLLOUT_SHARED("a rollout's event that names others too, Scheduled", Cause.HOST_REBOOT),
        ROLLOUT_HELD("a rollout's event, approved, held by a window", Cause.HOST_REBOOT),
        ROLLOUT_PAUSED("an event of a paused rollout", Cause.HOST_REBOOT),
        ROLLOUT_STARTED("a rollout's event, Started", Cause.HOST_REBOOT),
        ROLLOUT_FREEZE_STARTED("an event of a rollout of freezes, Started", Cause.HOST_FREEZE),
        ROLLOUT_REHEARSAL_STARTED("a rehearsal of a rollout, Started", Cause.HOST_REBOOT);

        final String words;
        final Cause cause;

        Found(String words, Cause cause) {
            this.words = words;
            this.cause = cause;
        }

        private boolean isRehearsal() {
            return name().contains("REHEARSAL");
        }

        private boolean isStarted() {
            return name().endsWith("STARTED");
        }
    }

    /** The work that comes. */
    enum Coming {
        RESTART("restart", Cause.RESTART),
        REDEPLOY("redeploy", Cause.REDEPLOY),
        DELETION("deletion", Cause.TERMINATE),
        FREEZE("freeze", Cause.FREEZE),
        FAILURE("failure", Cause.FAILURE),
        PREEMPTION("preemption", Cause.PREEMPT),
        REHEARSAL("rehearsal", Cause.RESTART),
        ROLLOUT("rollout", Cause.HOST_REBOOT);

        final String words;
        final Cause cause;

        Coming(String words, Cause cause) {
            this.words = words;
            this.cause = cause;
        }
    }

    private static final String MACHINE = "m";
    private static final Duration STEP = Duration.ofMinutes(20);

    private final Found found;
    private final Coming coming;
    private final EngineHarness world = new EngineHarness(ServiceTerms.AZURE, 1, 0);

    private OverlapScenario(Found found, Coming coming) {
        this.found = found;
        this.coming = coming;
    }

    static String outcome(Found found, Coming coming) {
        boolean spot = found.cause == Cause.PREEMPT || coming == Coming.PREEMPTION;
        if (spot && (found.cause == Cause.TERMINATE || coming == Coming.DELETION)) {
            return "–";
        }
        return new OverlapScenario(found, coming).play(spot);
    }

    private String play(boolean spot) {
        fleet(spot);
        EventId first = begin();
        world.pass(Duration.ofSeconds(10));
        EventId second;
        try {
            second = come();
        } catch (RefusedException refusal) {
            return "refused";
        }
        if (first.equals(second)) {
            return joined(first);
        }
        boolean endedAtOnce = world.event(first).isEmpty();
        // A rollout gets a turn at once, and is shown when its notice begins.
        boolean waits = coming != Coming.ROLLOUT && phase(second) == Phase.WAITING;
        for (int i = 0; i < 120; i++) {
            if (world.engine.view().machine(EngineHarness.machine(MACHINE)).isPresent()) {
                world.poll(EngineHarness.WEB, MACHINE);
            }
            world.pass(STEP);
            second = second == null ? rolledOut("coming") : second;
            for (EventId id : List.copyOf(world.running.keySet())) {
                world.running.remove(id);
                world.event(id).ifPresent(e -> world.report(id, DriverReport.DONE));
            }
            if (found == Found.ROLLOUT_PAUSED && i == 10) {
                world.ask(new Command.ResumeRollout("found", false, EngineHarness.PERSON));
            }
        }
        if (endedAtOnce) {
            return "ends it";
        }
        if (world.steps(first).contains("REHEARSAL_ENDED")) {
            return "ends it when it starts";
        }
        List<EventId> starts = starts(first, second);
        if (!starts.contains(second)) {
            return "is dropped";
        }
        if (starts.equals(List.of(first, second))) {
            return waits ? "waits, then follows" : "follows";
        }
        return starts.equals(List.of(second)) ? "goes first, and ends it" : "goes first";
    }

    /** Which of the two started, in this order. */
    private List<EventId> starts(EventId first, EventId second) {
        return world.history.stream()
                .filter(e -> e.what().startsWith("STARTED"))
                .map(HistoryEntry::event)
                .filter(id -> first.equals(id) || id.equals(second))
                .toList();
    }

    private String joined(EventId event) {
        if (phase(event) == Phase.SCHEDULED) {
            return "is the same";
        }
        world.report(event, DriverReport.DONE);
        boolean follows = world.engine.view().state(EngineHarness.WEB).events().stream()
                .anyMatch(e -> e.work().cause() == coming.cause && e.phase() == Phase.STARTED);
        return follows ? "joins it, then starts" : "joins it";
    }

    private Phase phase(EventId id) {
        return world.event(id).map(Event::phase).orElse(Phase.ENDED);
    }

    private void fleet(boolean spot) {
        List<MachineSpec> machines = new ArrayList<>();
        machines.add(machine(MACHINE, spot));
        if (found == Found.ROLLOUT_SHARED) {
            machines.add(machine("n", false));
        }
        FleetSpec spec =
                new FleetSpec(List.of(new GroupSpec(0, EngineHarness.WEB, GroupKind.AVAILABILITY_SET, 1, 1)), machines);
        world.ask(world.engine.change(facts -> FleetRules.apply(facts, spec, false), EngineHarness.PERSON, null));
        world.poll(EngineHarness.WEB, MACHINE);
        if (found == Found.FREEZE_HELD || found == Found.ROLLOUT_HELD) {
            MaintenanceWindow window = new MaintenanceWindow(
                    EnumSet.allOf(DayOfWeek.class), LocalTime.of(20, 0), Duration.ofHours(2), ZoneId.of("UTC"));
            Policy policy = new Policy(
                    new Scope("default", "web", null),
                    null,
                    null,
                    null,
                    null,
                    List.of(window),
                    null,
                    null,
                    null,
                    null,
                    null);
            world.ask(new Command.SetPolicy(policy, EngineHarness.PERSON));
        }
    }

    private static MachineSpec machine(String name, boolean spot) {
        return new MachineSpec(
                0, EngineHarness.machine(name), EngineHarness.WEB, 0, 0, "host-1", List.of(), "", spot, Map.of());
    }

    private EventId begin() {
        EventId id = found.cause.rolledOut()
                ? roll("found", found.cause, found.isRehearsal())
                : schedule(found.cause, found.isRehearsal());
        boolean approved = found.isStarted() || found == Found.FREEZE_HELD || found == Found.ROLLOUT_HELD;
        if (approved && found.cause != Cause.FAILURE) {
            world.ask(new Command.Approve(null, List.of(id), EngineHarness.PERSON));
        }
        if (found == Found.ROLLOUT_PAUSED) {
            world.ask(new Command.PauseRollout("found", EngineHarness.PERSON));
        }
        return id;
    }

    private EventId come() {
        return coming == Coming.ROLLOUT
                ? roll("coming", coming.cause, false)
                : schedule(coming.cause, coming == Coming.REHEARSAL);
    }

    private EventId schedule(Cause cause, boolean rehearsal) {
        Command command = new Command.Schedule(
                cause, List.of(EngineHarness.machine(MACHINE)), null, null, rehearsal, EngineHarness.PERSON);
        return world.ask(command).events().get(0);
    }

    private EventId roll(String name, Cause cause, boolean rehearsal) {
        RolloutSpec spec = RolloutSpec.of(name, cause, new RolloutTarget(RolloutTarget.Kind.HOSTS, List.of("host-1")))
                .withRehearsal(rehearsal)
                .withNotice(found == Found.ROLLOUT_HELD && name.equals("found") ? Duration.ofHours(8) : null);
        world.ask(world.engine.roll(spec, EngineHarness.PERSON, null));
        return rolledOut(name);
    }

    /** The event of a rollout that names the machine; null if it is not announced. */
    private EventId rolledOut(String name) {
        return world.engine.view().state(EngineHarness.WEB).events().stream()
                .filter(e -> name.equals(e.work().rollout()))
                .map(Event::id)
                .findFirst()
                .orElse(null);
    }
}
