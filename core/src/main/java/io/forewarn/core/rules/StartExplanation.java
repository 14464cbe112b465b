package io.forewarn.core.rules;

import io.forewarn.core.event.Event;
import io.forewarn.core.event.Phase;
import io.forewarn.core.fleet.GroupId;
import io.forewarn.core.rollout.ActiveUnit.Part;
import io.forewarn.core.rollout.Turn;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Lists for people everything that keeps an event from starting, its notice included. The rules ask {@link StartBlockers}. */
final class StartExplanation {
    private static final String REST = "the rest of its notice, because only time in which machines can read it counts";

    private static final String GRACE =
            "the grace period after a start, a stall or a clock jump of the service (clock.resume-grace), unless it is approved";

    private final StartBlockers blockers;
    private final StateReader facts;
    private final ServiceTerms terms;
    private final Instant now;

    StartExplanation(StateReader facts, ServiceTerms terms, Instant now) {
        this.blockers = new StartBlockers(facts, terms, now);
        this.facts = facts;
        this.terms = terms;
        this.now = now;
    }

    List<StartBlocker> of(GroupId group, Event event) {
        if (event.phase() == Phase.STARTED) {
            return List.of();
        }
        List<StartBlocker> holds = apartFromOrder(group, event);
        earlierDomain(group, event, holds)
                .filter(blocker -> holds.stream().noneMatch(known -> known.why().equals(blocker.why())))
                .ifPresent(holds::add);
        if (holds.isEmpty() && mayLackNotice(event)) {
            holds.add(StartBlocker.unknownEnd(
                    "the rest of its notice, if machines could not read it all the time",
                    now.plus(StartBlockers.LOOK_AGAIN)));
        }
        if (holds.isEmpty() && event.work().unit() != null && event.phase() == Phase.SCHEDULED) {
            // Polls change nothing by themselves; what waited for one is looked at again now and then.
            holds.add(StartBlocker.unknownEnd(
                    "nothing any more, it starts within " + StartBlockers.LOOK_AGAIN.toSeconds() + " seconds",
                    now.plus(StartBlockers.LOOK_AGAIN)));
        }
        return holds;
    }

    private List<StartBlocker> apartFromOrder(GroupId group, Event event) {
        List<StartBlocker> holds = new ArrayList<>();
        if (event.phase() == Phase.WAITING) {
            blockers.machines()
                    .inTheWay(facts.state(group), event)
                    .map(other -> other.phase() == Phase.STARTED
                            ? MachineBlockers.underWay(other)
                            : blockers.machines().goesBefore(other))
                    .ifPresent(holds::add);
        }
        if (event.phase() == Phase.SCHEDULED && !event.isApproved()) {
            Instant notBefore = event.noticePeriod().notBefore();
            if (notBefore.isAfter(now)) {
                holds.add(date(group, event));
                PolicyResolver.voting(facts, event, group, terms)
                        .ifPresent(why -> holds.add(new StartBlocker(why, notBefore)));
            }
            restOfNotice(event).ifPresent(holds::add);
        }
        blockers.stopped(event).ifPresent(holds::add);
        blockers.machines()
                .of(facts.state(group), event)
                .filter(blocker -> holds.stream().noneMatch(first -> first.why().equals(blocker.why())))
                .ifPresent(holds::add);
        Optional<StartBlocker> domain = blockers.domains().of(facts.state(group), event);
        domain.ifPresent(holds::add);
        if (domain.filter(hold -> hold.until() != null).isPresent()
                && event.work().cause().rolledOut()) {
            // Whoever must run or poll again can do so while its domain recovers.
            blockers.domains().unhealthy(facts.state(group), event).ifPresent(holds::add);
        }
        blockers.outsideWindows(event).ifPresent(holds::add);
        PolicyResolver.windows(facts, event, group, terms, now).ifPresent(holds::add);
        PolicyResolver.unseen(facts, event, group, terms, now).ifPresent(holds::add);
        new TurnBlockers(facts, terms, now).of(group, event).ifPresent(holds::add);
        blockers.others(group, event)
                .filter(blocker -> holds.stream().noneMatch(own -> own.why().equals(blocker.why())))
                .ifPresent(holds::add);
        Optional<StartBlocker> own = restOfNotice(event);
        restOfOthers(group, event)
                .filter(rest -> own.isEmpty() || rest.until().isAfter(own.get().until()))
                .ifPresent(holds::add);
        return holds;
    }

    /**
     * Another update domain that starts before this one, whose time has come too, because its date is earlier and nothing
     * holds it that does not hold this one.
     */
    private Optional<StartBlocker> earlierDomain(GroupId group, Event event, List<StartBlocker> holds) {
        if (!isDatePast(event)) {
            return Optional.empty();
        }
        List<String> reasons = holds.stream().map(StartBlocker::why).toList();
        return DomainBlockers.earlierElsewhere(facts.state(group), event, Duration.ZERO)
                .filter(this::isDatePast)
                .filter(other -> apartFromOrder(group, other).stream()
                        .map(StartBlocker::why)
                        .allMatch(reasons::contains))
                .findFirst()
                .map(other -> new StartBlocker(DomainBlockers.comesFirst(other), null));
    }

    private boolean isDatePast(Event event) {
        return event.phase() == Phase.SCHEDULED
                && event.work().cause().planned()
                && !event.noticePeriod().notBefore().isAfter(now);
    }

    /** Why an event has the date it has. */
    private StartBlocker date(GroupId group, Event event) {
        Instant notBefore = event.noticePeriod().notBefore();
        Optional<Turn> turn = Optional.ofNullable(event.work().unit())
                .map(id -> UpcomingUnits.unit(facts, id).turn());
        if (turn.isEmpty() || turn.get().why().isEmpty()) {
            // A window, a blackout or a postponement may have set it later.
            Instant noticed = event.noticePeriod().at().plus(event.work().notice());
            String what = notBefore.isAfter(noticed.plusSeconds(1)) ? "its date" : "its notice";
            return new StartBlocker(what + ", unless it is approved", notBefore);
        }
        GroupId because = turn.get().group();
        String turns = "its turn, unless it is approved: ";
        boolean sibling = because != null && because.tenant().equals(group.tenant());
        return new StartBlocker(
                turns + turn.get().why(),
                notBefore,
                group.equals(because) ? null : because,
                turns
                        + (sibling
                                ? StartBlockers.elsewhere(group, because)
                                : turn.get().why(group.tenant())));
    }

    /** What is left of its notice on the monotonic clock when its date has passed. */
    private Optional<StartBlocker> restOfNotice(Event event) {
        if (event.phase() != Phase.SCHEDULED || event.isApproved() || !event.shared()) {
            return Optional.empty();
        }
        Instant notBefore = event.noticePeriod().notBefore();
        return facts.noticeEnd(event.id())
                .filter(end -> end.at().isAfter(now) && end.at().isAfter(notBefore.plusSeconds(1)))
                .map(end -> new StartBlocker(end.byGrace() ? GRACE : REST, end.at()));
    }

    /** Only the writer knows how much of a notice is left. */
    private boolean mayLackNotice(Event event) {
        return event.phase() == Phase.SCHEDULED
                && !event.isApproved()
                && event.shared()
                && !event.noticePeriod().notBefore().isAfter(now)
                && facts.noticeEnd(event.id()).isEmpty();
    }

    /** The rest of the longest notice among the other events of its unit. */
    private Optional<StartBlocker> restOfOthers(GroupId group, Event event) {
        return unitParts(event)
                .filter(part -> !part.event().equals(event.id()))
                .flatMap(part -> facts.state(part.group()).event(part.event()).stream()
                        .flatMap(other -> restOfNotice(other).stream())
                        .map(rest -> part.group().equals(group)
                                ? new StartBlocker(
                                        "the rest of the notice of event " + part.event() + " of the same work",
                                        rest.until())
                                : new StartBlocker(
                                        "the rest of the notice of group " + part.group() + " of the same host",
                                        rest.until(),
                                        part.group(),
                                        "the rest of the notice of " + StartBlockers.elsewhere(group, part.group()))))
                .max(Comparator.comparing(StartBlocker::until));
    }

    private Stream<Part> unitParts(Event event) {
        return Optional.ofNullable(event.work().unit()).flatMap(facts::open).stream()
                .flatMap(unit -> unit.parts().stream());
    }
}
