package io.forewarn.wire.guest;

import io.forewarn.core.Actor;
import io.forewarn.core.event.Event;
import io.forewarn.core.event.Phase;
import io.forewarn.core.event.Postponement;
import io.forewarn.core.policy.EffectivePolicy;
import io.forewarn.core.policy.PostponementLimit;
import io.forewarn.core.rules.StartBlocker;
import io.forewarn.wire.control.Durations;
import io.forewarn.wire.control.EnumNames;
import io.forewarn.wire.control.EventExplainer;
import io.forewarn.wire.guest.GuestEvent.GuestHistoryEntry;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;

/** Maps events to bodies for machines. Machines learn that a person acted, but not who. */
public final class GuestEventMapper {
    private static final Set<String> MATTERS = Set.of(
            "notice", "approval", "approveWhenAllDown", "seenByAll", "windows", "blackouts", "guestPostponements");

    private GuestEventMapper() {}

    public static GuestEvent event(Event event, String machine, List<StartBlocker> blockers, EffectivePolicy policy) {
        return new GuestEvent(
                event.id().toString(),
                EnumNames.of(event.phase()),
                EnumNames.of(event.type()),
                EnumNames.of(event.work().cause().source()),
                event.resources(),
                event.lists(machine),
                event.work().description(),
                Durations.print(event.work().notice()),
                event.noticePeriod() == null
                        ? null
                        : event.noticePeriod().notBefore().toString(),
                event.isApproved(),
                policy.approval().value().needed(event.resources().size()),
                event.resources().stream().filter(event.voices()::containsKey).toList(),
                postponable(event, policy.guestPostpones().value()),
                EventExplainer.blockers(blockers),
                EventExplainer.values(event, policy).stream()
                        .filter(v -> MATTERS.contains(v.name()))
                        .toList(),
                history(event));
    }

    private static String postponable(Event event, PostponementLimit allowed) {
        List<Postponement> used = event.postponements().stream()
                .filter(p -> p.by() == Actor.Kind.MACHINE)
                .toList();
        Duration left = allowed.total();
        for (Postponement before : used) {
            left = left.minus(before.length());
        }
        boolean open = event.phase() == Phase.SCHEDULED && !event.isApproved() && used.size() < allowed.times();
        return open && !left.isNegative() && !left.isZero() ? Durations.print(left) : null;
    }

    /** Built from the event alone, without reading the log. */
    private static List<GuestHistoryEntry> history(Event event) {
        List<GuestHistoryEntry> past = new ArrayList<>();
        if (event.noticePeriod() != null) {
            Instant first = event.postponements().isEmpty()
                    ? event.noticePeriod().notBefore()
                    : event.postponements().get(0).from();
            past.add(past(event.noticePeriod().at(), "scheduled", "service", first));
        }
        event.sightings().forEach((machine, at) -> past.add(past(at, "seen", machine, null)));
        event.voices().forEach((machine, at) -> past.add(past(at, "ready", machine, null)));
        event.postponements().forEach(p -> past.add(past(p.at(), "postponed", EnumNames.of(p.by()), p.until())));
        if (event.isApproved()) {
            past.add(
                    past(event.approval().at(), "approved", who(event.approval().by()), null));
        }
        if (event.attempt() != null) {
            past.add(past(event.attempt().startedAt(), "started", "service", null));
        }
        past.sort(Comparator.comparing(p -> Instant.parse(p.at())));
        return past;
    }

    private static String who(Actor actor) {
        return actor.kind() == Actor.Kind.MACHINE
                ? actor.name().substring(actor.name().indexOf('/') + 1)
                : EnumNames.of(actor.kind());
    }

    private static GuestHistoryEntry past(Instant at, String kind, String by, Instant notBefore) {
        return new GuestHistoryEntry(at.toString(), kind, by, notBefore == null ? null : notBefore.toString());
    }
}
