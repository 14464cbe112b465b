package io.forewarn.cli;

import io.forewarn.wire.control.CommandResultBody;
import io.forewarn.wire.control.EventBody;
import io.forewarn.wire.control.FleetChangeBody;
import io.forewarn.wire.control.Json;
import io.forewarn.wire.control.Route;
import io.forewarn.wire.control.StartBlockerBody;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Prints what a command did and, with {@code --wait}, waits for its events to end. */
final class ActionResultPrinter {
    private static final int A_SCREEN = 20;

    private ActionResultPrinter() {}

    static int tell(ServerCommand serverCommand, List<EventBody> events, boolean wait, String verb) {
        if (!serverCommand.json()) {
            events.forEach(e -> serverCommand.say(sentence(serverCommand, e, verb)));
        }
        List<EventBody> last = wait ? new EventWaiter(serverCommand, new Waiting(null)).untilGone(events) : events;
        if (serverCommand.json()) {
            serverCommand.raw(Json.write(new CommandResultBody(last, 0)));
        }
        return !wait || last.stream().allMatch(EventMoment.GONE::hasCome) ? ExitCode.DONE : ExitCode.REFUSED;
    }

    private static String sentence(ServerCommand serverCommand, EventBody event, String verb) {
        if (event.machines() == null) {
            return event.id() + " " + verb + ", already ended";
        }
        String when =
                switch (event.status()) {
                    case "scheduled" -> scheduled(serverCommand, event);
                    case "started" ->
                        event.visible() != null && event.visible()
                                ? "started"
                                : "started without notice: no machine in its group is polling";
                    case "waiting" -> "waiting for another event of the machine";
                    default -> event.status();
                };
        return event.id() + "  " + event.type() + " of " + String.join(", ", event.machines()) + "  " + when;
    }

    /** Says when a scheduled event starts, or what it still waits for. */
    static String scheduled(ServerCommand serverCommand, EventBody event) {
        EventBody now = serverCommand
                .client()
                .ask(EventBody.class, Route.EVENT, List.of(event.id()), Map.of("history", "false"));
        if (event.approvedBy() == null) {
            return "starts at " + DisplayNames.time(event.notBefore()) + ", or as soon as it is approved" + grace(now);
        }
        if (now.blockers() == null || now.blockers().isEmpty()) {
            return "approved; starts in a moment";
        }
        StartBlockerBody last = now.blockers().stream()
                .filter(hold -> hold.until() != null)
                .max(Comparator.comparing(StartBlockerBody::until))
                .orElse(now.blockers().get(0));
        String until = last.until() == null ? "" : " until " + DisplayNames.time(last.until());
        return "approved; held" + until + " by: "
                + now.blockers().stream().map(StartBlockerBody::reason).collect(Collectors.joining("; "));
    }

    /** Right after a start no event starts by time alone, so that machines can poll first. */
    private static String grace(EventBody event) {
        List<StartBlockerBody> blockers = event.blockers() == null ? List.of() : event.blockers();
        return blockers.stream()
                .filter(hold -> hold.reason().contains("clock.resume-grace"))
                .map(hold -> "; clock.resume-grace holds it until " + DisplayNames.time(hold.until()))
                .findFirst()
                .orElse("");
    }

    /** Prints the changes made, or to be made, to the fleet: the first ones by name, all of them as counts. */
    static void fleet(ServerCommand serverCommand, CommandResultBody outcome, boolean dry) {
        List<FleetChangeBody> fleet = outcome.fleetChanges() == null ? List.of() : outcome.fleetChanges();
        for (FleetChangeBody change : fleet.subList(0, Math.min(A_SCREEN, fleet.size()))) {
            String details = change.details() == null ? "" : "  " + String.join(", ", change.details());
            serverCommand.say(change.change() + " " + change.kind() + " "
                    + DisplayNames.of(change.tenant(), change.name()) + details);
        }
        int total = outcome.totals() == null
                ? 0
                : outcome.totals().values().stream().mapToInt(Integer::intValue).sum();
        if (total > A_SCREEN) {
            serverCommand.say("and " + (total - A_SCREEN) + " more; --json lists the first " + fleet.size());
        }
        if (outcome.changes() == 0) {
            serverCommand.say("No changes.");
            return;
        }
        String counts = total == 0
                ? outcome.changes() + " changed"
                : Stream.of("added", "changed", "moved", "removed")
                        .filter(outcome.totals()::containsKey)
                        .map(what -> outcome.totals().get(what) + " " + what)
                        .collect(Collectors.joining(", "));
        serverCommand.say(dry ? "Would be " + counts + ". Dry run: nothing was changed." : counts + ".");
    }

    static int changes(ServerCommand serverCommand, CommandResultBody outcome) {
        if (serverCommand.json()) {
            serverCommand.raw(Json.write(outcome));
        } else {
            fleet(serverCommand, outcome, false);
        }
        return ExitCode.DONE;
    }
}
