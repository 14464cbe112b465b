package io.forewarn.core.rules;

import io.forewarn.core.event.RolloutUnitId;
import io.forewarn.core.fleet.GroupId;
import io.forewarn.core.fleet.Machine;
import io.forewarn.core.rollout.ActiveUnit;
import io.forewarn.core.rollout.AffectedMachines;
import io.forewarn.core.rollout.Rollout;
import io.forewarn.core.rollout.RolloutSpec;
import io.forewarn.core.rollout.Turn;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;

/**
 * Which update domains leave a host first, if it carries several of a group: one with a machine that has failed, because the others
 * wait until it runs again, or else the one with the highest number. The order does not depend on when machines came or changed, so
 * that it does not change after owners were told their dates. A rehearsal moves nothing.
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
                        .orElse(domains.get(domains.size() - 1)));
            }
        }
        return moving;
    }

    /** The same for a unit of a rollout, whose first evacuation may be scheduled already. */
    List<AffectedMachines> first(RolloutUnitId unit, List<AffectedMachines> shares) {
        Optional<ActiveUnit> scheduled = facts.open(unit).filter(ActiveUnit::moves);
        return scheduled.isEmpty()
                ? next(unit, 0, shares, shares)
                : shares.stream()
                        .filter(each -> scheduled.get().parts().stream().anyMatch(part -> isOf(part, each)))
                        .toList();
    }

    /** Those that leave next, without domains that must not leave yet because their owners were told a later date. */
    private List<AffectedMachines> next(
            RolloutUnitId unit, int number, List<AffectedMachines> rest, List<AffectedMachines> shares) {
        List<AffectedMachines> moving = first(rest);
        Turn turn = UpcomingUnits.unit(facts, unit).turn();
        if (turn == null || moving.size() < 2) {
            return moving;
        }
        Instant first = moving.stream()
                .map(each -> told(turn, each, shares))
                .min(Instant::compareTo)
                .orElseThrow();
        Instant planned =
                number < turn.evacuations().size() ? turn.evacuations().get(number) : first;
        Instant latest = planned.isAfter(first) ? planned : first;
        return moving.stream()
                .filter(each -> !told(turn, each, shares).isAfter(latest))
                .toList();
    }

    /** Before which time an update domain does not leave its host, because its owners were told so. */
    Instant told(Turn turn, AffectedMachines domain, List<AffectedMachines> shares) {
        Instant told = turn.leaving().get(name(domain));
        if (told != null) {
            return told;
        }
        return hasJustArrived(domain, shares) ? Instant.MIN : turn.at();
    }

    /** How a turn names update domains that leave then. */
    static Map<String, Instant> names(List<AffectedMachines> domains, Instant at) {
        Map<String, Instant> names = new HashMap<>();
        domains.forEach(domain -> names.put(name(domain), at));
        return names;
    }

    static String name(AffectedMachines domain) {
        return name(domain.group(), domain.updateDomain());
    }

    static String name(GroupId group, int updateDomain) {
        return group + "#" + updateDomain;
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
        return all(shares, (number, rest) -> first(rest));
    }

    /**
     * The same for a unit of a rollout.
     *
     * @param after how many of its evacuations come before
     */
    List<List<AffectedMachines>> all(RolloutUnitId unit, int after, List<AffectedMachines> shares) {
        return all(shares, (number, rest) -> next(unit, after + number, rest, shares));
    }

    /** The evacuations of a unit of a rollout that are not over yet; the first may be scheduled already. */
    List<List<AffectedMachines>> remaining(RolloutUnitId unit, List<AffectedMachines> shares) {
        List<List<AffectedMachines>> remaining = new ArrayList<>(List.of(first(unit, shares)));
        List<AffectedMachines> others = new ArrayList<>(shares);
        others.removeAll(remaining.get(0));
        remaining.addAll(all(unit, 1, others));
        return remaining;
    }

    private static List<List<AffectedMachines>> all(
            List<AffectedMachines> shares, BiFunction<Integer, List<AffectedMachines>, List<AffectedMachines>> next) {
        List<List<AffectedMachines>> all = new ArrayList<>();
        List<AffectedMachines> rest = new ArrayList<>(shares);
        for (List<AffectedMachines> moving = next.apply(0, rest);
                !moving.isEmpty();
                moving = next.apply(all.size(), rest)) {
            all.add(moving);
            rest.removeAll(moving);
        }
        return all;
    }

    /**
     * Whether an update domain came to its host after the rollout was started, and after the others of its group: its owners were told
     * no date.
     */
    private boolean hasJustArrived(AffectedMachines domain, List<AffectedMachines> all) {
        return !arrived(domain).equals(Instant.MIN)
                && all.stream()
                        .filter(other ->
                                other.group().equals(domain.group()) && other.updateDomain() != domain.updateDomain())
                        .allMatch(other -> arrived(other).isBefore(arrived(domain)));
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
