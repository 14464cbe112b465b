package io.forewarn.core.rules;

import io.forewarn.core.event.RolloutUnitId;
import io.forewarn.core.fleet.GroupId;
import io.forewarn.core.fleet.Machine;
import io.forewarn.core.rollout.ActiveUnit;
import io.forewarn.core.rollout.AffectedMachines;
import io.forewarn.core.rollout.Rollout;
import io.forewarn.core.rollout.RolloutSpec;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Which update domains leave a host first, if it carries several of a group. One with a machine that has failed, because the others
 * wait until it runs again; or else the one that came to the host last, because the others were told when the host is worked on; or
 * else the one with the highest number. A rehearsal moves nothing.
 */
final class EvacuationOrder {
    private final StateReader facts;
    private final RolloutSpec spec;
    private final Instant since;

    private EvacuationOrder(StateReader facts, RolloutSpec spec, Instant since) {
        this.facts = facts;
        this.spec = spec;
        this.since = since;
    }

    EvacuationOrder(StateReader facts, Rollout rollout) {
        this(facts, rollout.spec(), rollout.createdAt());
    }

    /** For a rollout that is being planned: nobody has come to a host since. */
    static EvacuationOrder planned(StateReader facts, RolloutSpec spec) {
        return new EvacuationOrder(facts, spec, Instant.MAX);
    }

    /** Of each group that has several update domains here, the one that must be moved away first. */
    List<AffectedMachines> first(List<AffectedMachines> shares) {
        List<AffectedMachines> moving = new ArrayList<>();
        for (int first = 0, end; first < shares.size() && !spec.rehearsal(); first = end) {
            GroupId group = shares.get(first).group();
            end = first + 1;
            while (end < shares.size() && shares.get(end).group().equals(group)) {
                end++;
            }
            if (end - first > 1) {
                List<AffectedMachines> domains = shares.subList(first, end);
                moving.add(domains.stream()
                        .filter(each -> RolloutPacing.hasFailed(facts, each))
                        .findFirst()
                        .orElseGet(() -> lastArrived(domains)));
            }
        }
        return moving;
    }

    /** The same for a unit whose first evacuation may be scheduled already. */
    List<AffectedMachines> first(RolloutUnitId unit, List<AffectedMachines> shares) {
        Optional<ActiveUnit> scheduled = facts.open(unit).filter(ActiveUnit::moves);
        return scheduled.isEmpty()
                ? first(shares)
                : shares.stream()
                        .filter(each -> scheduled.get().parts().stream().anyMatch(part -> isOf(part, each)))
                        .toList();
    }

    private boolean isOf(ActiveUnit.Part part, AffectedMachines domain) {
        return part.group().equals(domain.group())
                && facts.state(part.group())
                        .event(part.event())
                        .filter(event -> event.work().updateDomain() == domain.updateDomain())
                        .isPresent();
    }

    /** All evacuations of a host, one after the other. */
    List<List<AffectedMachines>> all(List<AffectedMachines> shares) {
        List<List<AffectedMachines>> all = new ArrayList<>();
        List<AffectedMachines> rest = new ArrayList<>(shares);
        for (List<AffectedMachines> moving = first(rest); !moving.isEmpty(); moving = first(rest)) {
            all.add(moving);
            rest.removeAll(moving);
        }
        return all;
    }

    private AffectedMachines lastArrived(List<AffectedMachines> domains) {
        AffectedMachines last = domains.get(0);
        for (AffectedMachines each : domains) {
            if (!arrived(each).isBefore(arrived(last))) {
                last = each;
            }
        }
        return last;
    }

    /** Whether these update domains came to their host after the rollout was started, so that nobody was told a date for them. */
    boolean haveArrived(List<AffectedMachines> domains) {
        return domains.stream().noneMatch(each -> arrived(each).equals(Instant.MIN));
    }

    /** When the first machine of an update domain came to its host; the beginning of time if it was there when the rollout started. */
    private Instant arrived(AffectedMachines domain) {
        Instant first = Instant.MAX;
        for (Machine machine : domain.machines()) {
            Instant arrived = facts.condition(machine.id()).arrived();
            if (arrived == null || arrived.isBefore(since)) {
                return Instant.MIN;
            }
            first = arrived.isBefore(first) ? arrived : first;
        }
        return first;
    }
}
