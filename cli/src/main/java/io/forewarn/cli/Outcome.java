package io.forewarn.cli;

import io.forewarn.wire.control.EventBody;
import io.forewarn.wire.control.FleetChangeBody;
import io.forewarn.wire.control.StartBlockerBody;
import io.forewarn.wire.control.Json;
import io.forewarn.wire.control.CommandResultBody;
import io.forewarn.wire.control.Route;
import io.forewarn.wire.control.StatusBody;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Tells what a command did, and waits for the end of its events if asked to. */
final class Outcome {
    private static final int A_SCREEN = 20;
    private static final Duration A_MINUTE = Duration.ofMinutes(1);

    private Outcome() {}

    static int tell(Asking asking, List<EventBody> events, boolean wait, String verb) {
        if (!asking.json()) {
            events.forEach(e -> asking.say(sentence(asking, e, verb)));
        }
        List<EventBody> last = wait ? new Waiting(asking).untilGone(events) : events;
        if (asking.json()) {
            asking.raw(Json.write(new CommandResultBody(last, 0)));
        }
        return !wait || last.stream().allMatch(Waiting::done) ? Exit.DONE : Exit.REFUSED;
    }

    private static String sentence(Asking asking, EventBody event, String verb) {
        if (event.machines() == null) {
            return event.id() + " " + verb + ", already over";
        }
        String when =
                switch (event.status()) {
                    case "scheduled" -> scheduled(asking, event);
                    case "started" ->
                        event.shown() != null && event.shown()
                                ? "started"
                                : "started without notice: nobody asks in its group";
                    case "waiting" -> "waits for another event of the machine";
                    default -> event.status();
                };
        return event.id() + "  " + event.type() + " of " + String.join(", ", event.machines()) + "  " + when;
    }

    /** When an event starts that is announced, or what it still waits for. */
    static String scheduled(Asking asking, EventBody event) {
        if (event.approvedBy() == null) {
            return "starts at " + Naming.time(event.notBefore()) + ", or as soon as it is approved"
                    + grace(asking, event);
        }
        EventBody now =
                asking.client().ask(EventBody.class, Route.EVENT, List.of(event.id()), Map.of("history", "false"));
        if (now.held() == null || now.held().isEmpty()) {
            return "approved; starts in a moment";
        }
        StartBlockerBody last = now.held().stream()
                .filter(hold -> hold.until() != null)
                .max(Comparator.comparing(StartBlockerBody::until))
                .orElse(now.held().get(0));
        String until = last.until() == null ? "" : " until " + Naming.time(last.until());
        return "approved; held" + until + " by: "
                + now.held().stream().map(StartBlockerBody::why).collect(Collectors.joining("; "));
    }

    /** Right after a start nothing begins by time, so that machines can ask first; a short notice ends within that. */
    private static String grace(Asking asking, EventBody event) {
        StatusBody status = asking.client().ask(StatusBody.class, Route.STATUS);
        Duration left = A_MINUTE.minusSeconds(status.uptimeSeconds());
        boolean within = event.notBefore() != null
                && Instant.parse(event.notBefore())
                        .isBefore(Instant.parse(status.now()).plus(left));
        return within ? "; the service has just started, so clock.resume-grace may hold it a little longer" : "";
    }

    /** What became, or would become, of the fleet: the first by name, all by number. */
    static void fleet(Asking asking, CommandResultBody outcome, boolean dry) {
        List<FleetChangeBody> fleet = outcome.fleet() == null ? List.of() : outcome.fleet();
        for (FleetChangeBody change : fleet.subList(0, Math.min(A_SCREEN, fleet.size()))) {
            String details = change.details() == null ? "" : "  " + String.join(", ", change.details());
            asking.say(change.what() + " " + change.kind() + " " + Naming.of(change.tenant(), change.name()) + details);
        }
        int total = outcome.totals() == null
                ? 0
                : outcome.totals().values().stream().mapToInt(Integer::intValue).sum();
        if (total > A_SCREEN) {
            asking.say("and " + (total - A_SCREEN) + " more; --json names the first " + fleet.size());
        }
        if (outcome.changes() == 0) {
            asking.say("Nothing to change.");
            return;
        }
        String counts = total == 0
                ? outcome.changes() + " changed"
                : Stream.of("added", "changed", "moved", "removed")
                        .filter(outcome.totals()::containsKey)
                        .map(what -> outcome.totals().get(what) + " " + what)
                        .collect(Collectors.joining(", "));
        asking.say(dry ? "Would be " + counts + ". Nothing was done." : counts + ".");
    }

    static int changes(Asking asking, CommandResultBody outcome) {
        if (asking.json()) {
            asking.raw(Json.write(outcome));
        } else {
            fleet(asking, outcome, false);
        }
        return Exit.DONE;
    }
}
