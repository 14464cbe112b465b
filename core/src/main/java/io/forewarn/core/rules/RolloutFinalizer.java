package io.forewarn.core.rules;

import io.forewarn.core.event.Cause;
import io.forewarn.core.event.RolloutUnitId;
import io.forewarn.core.fleet.GroupId;
import io.forewarn.core.rollout.AffectedMachines;
import io.forewarn.core.rollout.Rollout;
import io.forewarn.core.rollout.RolloutTarget;
import io.forewarn.core.rollout.RolloutUnit;
import io.forewarn.core.rollout.RolloutUnitChunk;
import io.forewarn.core.rollout.Turn;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Decides what happens to the units that are left when nothing of a rollout is open and nothing more can be opened. Earlier
 * it would be premature: a unit without machines may get some again, and a host may lose the machine that keeps it from
 * being worked on.
 */
final class RolloutFinalizer {
    private static final String EMPTY_DOMAIN = "no machine of the rollout is in it any more";

    static final String TOO_LATE = ". Resume with another latest start, or let late units start later";

    static final String NO_WINDOW = "no maintenance window suits all its groups within a year";

    private final ChangeSet changes;
    private final TurnRules turnRules;
    private final Instant now;
    private final Rollout rollout;
    private final RolloutPartitioner partitioner;
    private final RolloutPacing pacing;
    private final EvacuationOrder order;
    private final Map<Integer, String> empty = new TreeMap<>();
    private final Map<Integer, String> unfit = new TreeMap<>();
    private final List<String> late = new ArrayList<>();

    RolloutFinalizer(DecisionContext context, Rollout rollout) {
        this.changes = context.changes();
        this.turnRules = new TurnRules(context);
        this.now = context.now();
        this.rollout = rollout;
        this.partitioner = new RolloutPartitioner(changes, rollout.spec());
        this.pacing = new RolloutPacing(changes, context.terms(), rollout.spec(), now);
        this.order = new EvacuationOrder(changes, rollout);
    }

    /** Why a host cannot be worked on as it is: it carries two update domains of a group, and none may be moved away. */
    static Optional<String> crowded(String host, List<AffectedMachines> all, List<AffectedMachines> moving) {
        if (moving.isEmpty()) {
            return Optional.empty();
        }
        GroupId group = moving.get(0).group();
        List<Integer> domains = all.stream()
                .filter(a -> a.group().equals(group))
                .map(AffectedMachines::updateDomain)
                .toList();
        return Optional.of(host + " carries update domains " + domains.get(0) + " and " + domains.get(1) + " of group "
                + group + " by now, which must not be down together");
    }

    /**
     * Halts if units are left that cannot start in time. Otherwise skips the units that have no machines. Hosts with two update
     * domains of a group, and units without a common window, fail instead, if there are any: that is for a person to decide.
     *
     * @return why the rollout halts; empty if it does not
     */
    Optional<String> judge() {
        if (!collect()) {
            return Optional.empty();
        }
        if (!late.isEmpty()) {
            return Optional.of(tooLate());
        }
        boolean fails = !unfit.isEmpty();
        Map<Integer, String> judged = fails ? unfit : empty;
        judged.forEach((number, why) -> {
            RolloutUnitChunk chunk = changes.units(rollout.name(), number / RolloutUnitChunk.SIZE);
            changes.put(chunk.with(number, fails ? RolloutUnit.State.FAILED : RolloutUnit.State.SKIPPED, why));
        });
        changes.put(rollout.counted(0, 0, fails ? judged.size() : 0, fails ? 0 : judged.size()));
        if (!fails) {
            return Optional.empty();
        }
        String more = unfit.size() == 1 ? "" : ", and " + (unfit.size() - 1) + " more cannot be worked on either";
        return Optional.of(unfit.values().iterator().next() + more
                + ". Change that and resume with a retry, or resume without it");
    }

    /** Why nothing more can be done by the latest start of the rollout; empty if something can, or nothing is late. */
    Optional<String> late() {
        return rollout.open() == 0 && collect() && !late.isEmpty() ? Optional.of(tooLate()) : Optional.empty();
    }

    private String tooLate() {
        String more = late.size() == 1 ? "" : ", and " + (late.size() - 1) + " more cannot either";
        return late.get(0) + more + TOO_LATE;
    }

    /** Whether all units to come are such that they cannot be worked on. */
    private boolean collect() {
        boolean hosts = rollout.spec().target().kind() == RolloutTarget.Kind.HOSTS;
        for (int number = 0; number < rollout.units(); number++) {
            RolloutUnit unit = changes.units(rollout.name(), number / RolloutUnitChunk.SIZE)
                    .unit(number);
            if (unit.state() != RolloutUnit.State.PENDING) {
                continue;
            }
            List<AffectedMachines> all = partitioner.of(unit.name(), rollout);
            Optional<String> why = unfit(unit.name(), all);
            if (all.isEmpty()
                    && (unit.hasTurnAfter(now)
                            || partitioner.moving(unit.name()).isPresent())) {
                return false;
            } else if (all.isEmpty()) {
                empty.put(number, hosts ? "no machine is on it any more" : EMPTY_DOMAIN);
            } else if (why.isPresent()) {
                unfit.put(number, why.get());
            } else if (unit.isSetAside() && !turnRules.fitsAgain(new RolloutUnitId(rollout.name(), number))) {
                late.add(unit.why());
            } else {
                return false;
            }
        }
        return true;
    }

    /** Whether a unit has machines, and cannot be worked on as it is. */
    boolean isUnfit(String unit) {
        return unfit(unit, partitioner.of(unit, rollout)).isPresent();
    }

    private Optional<String> unfit(String unit, List<AffectedMachines> all) {
        if (all.isEmpty()) {
            return Optional.empty();
        }
        Optional<String> crowd = rollout.spec().evacuate() ? Optional.empty() : crowded(unit, all, order.first(all));
        return crowd.isPresent() || hasWindows(all) ? crowd : Optional.of(unit + ": " + NO_WINDOW);
    }

    /**
     * Whether the rollout and all groups of a unit let its work start at some time within a year, and the evacuations before it. An
     * evacuation is for nothing if the work after it has no window.
     */
    boolean hasWindows(List<AffectedMachines> all) {
        List<AffectedMachines> rest = new ArrayList<>(all);
        for (List<AffectedMachines> moving : order.all(all)) {
            if (!pacing.hasWindow(moving, Cause.HOST_REDEPLOY, rollout.createdAt(), now)) {
                return false;
            }
            rest.removeAll(moving);
        }
        return pacing.hasWindow(rest, rollout.spec().cause(), rollout.createdAt(), now);
    }

    /**
     * Looks for machines that came to a unit after it was done or while it was skipped, or to an update domain that the rollout did not have. Work on hosts is over with
     * the hosts.
     *
     * @return whether there is more to do
     */
    boolean reopen() {
        if (!rollout.marks() || rollout.spec().target().kind() == RolloutTarget.Kind.HOSTS) {
            return false;
        }
        return reopen(partitioner.outstanding(rollout)) > 0;
    }

    /** The same for machines on which work failed and which changed their update domain since: they keep their groups waiting. */
    int reopenFailed() {
        if (rollout.spec().target().kind() == RolloutTarget.Kind.HOSTS) {
            return 0;
        }
        return reopen(partitioner.outstanding(rollout).stream()
                .filter(unit -> partitioner.of(unit, rollout).stream()
                        .anyMatch(affected -> RolloutPacing.hasFailed(changes, affected)))
                .toList());
    }

    private int reopen(List<String> outstanding) {
        Map<String, Integer> numbers = new HashMap<>();
        for (int number = 0; !outstanding.isEmpty() && number < rollout.units(); number++) {
            numbers.put(
                    changes.units(rollout.name(), number / RolloutUnitChunk.SIZE)
                            .unit(number)
                            .name(),
                    number);
        }
        int done = 0;
        int skipped = 0;
        int added = 0;
        for (String name : outstanding) {
            Integer number = numbers.get(name);
            if (number == null) {
                add(name, rollout.units() + added++);
                continue;
            }
            RolloutUnitChunk chunk = changes.units(rollout.name(), number / RolloutUnitChunk.SIZE);
            RolloutUnit unit = chunk.unit(number);
            boolean wasEmpty =
                    unit.state() == RolloutUnit.State.SKIPPED && unit.why().equals(EMPTY_DOMAIN);
            if (unit.state() == RolloutUnit.State.DONE || wasEmpty) {
                changes.put(chunk.with(number, RolloutUnit.State.PENDING, "").with(number, (Turn) null));
                done += wasEmpty ? 0 : 1;
                skipped += wasEmpty ? 1 : 0;
            }
        }
        changes.put(rollout.widened(added).counted(0, -done, 0, -skipped));
        return done + skipped + added;
    }

    private void add(String name, int number) {
        int chunk = number / RolloutUnitChunk.SIZE;
        RolloutUnitChunk last = number % RolloutUnitChunk.SIZE == 0
                ? new RolloutUnitChunk(rollout.name(), chunk, List.of())
                : changes.units(rollout.name(), chunk);
        changes.put(last.with(RolloutUnit.pending(name, null)));
    }
}
