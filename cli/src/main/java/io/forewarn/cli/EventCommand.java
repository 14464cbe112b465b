package io.forewarn.cli;

import io.forewarn.wire.control.CommandResultBody;
import io.forewarn.wire.control.EventBody;
import io.forewarn.wire.control.Json;
import io.forewarn.wire.control.PostponeRequest;
import io.forewarn.wire.control.Route;
import io.forewarn.wire.control.StartBlockerBody;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Lists, shows, approves, postpones and cancels events. */
@Command(
        name = "event",
        addMethodSubcommands = false,
        description = "Events: what is scheduled, what is under way, and what became of it.",
        footer = {
            "",
            "Examples:",
            "  forewarn event list --group web",
            "  forewarn event approve ID --wait       go ahead now, and wait until it has ended",
            "  forewarn event postpone ID --by 2h     ask for more time",
            "  forewarn event wait ID --for started   for scripts: exit code 0 when it has started",
            "  forewarn event show ID                 its whole history, even after it has ended",
            "ID is an event id. For an open event a unique prefix of at least 4 characters is enough."
        })
final class EventCommand {
    @Command(
            description = "List open events.",
            footer = {
                "",
                "Examples:",
                "  forewarn event list",
                "  forewarn event list --vm FrontEnd_IN_0 --json",
                "  forewarn event list --rollout os-1 --state scheduled --sort not-before",
                "  forewarn event list --host 'host-1?' --type reboot"
            })
    int list(@Mixin ServerCommand serverCommand, @Mixin EventFilter filter, @Mixin Paging paging) {
        return serverCommand.list(
                paging,
                EventBody.class,
                Route.EVENTS,
                filter.query(),
                List.of("id", "type", "status", "group", "machines", "not before", "approved by"),
                "No open events.",
                e -> List.of(
                        e.id(),
                        e.type(),
                        e.status(),
                        DisplayNames.of(e.tenant(), e.group()),
                        String.join(",", e.machines()),
                        e.notBefore() == null || e.status().equals("started") ? "" : DisplayNames.time(e.notBefore()),
                        DisplayNames.of(e.approvedBy())));
    }

    @Command(
            description = "Show an event and its history, even after it has ended.",
            footer = {"", "Examples:", "  forewarn event show ID"})
    int show(@Mixin ServerCommand serverCommand, @Parameters(paramLabel = "ID") String id) {
        byte[] answer = serverCommand
                .client()
                .bytes(Route.EVENT, List.of(new EventIdResolver(serverCommand).whole(id)), Map.of());
        return serverCommand.one(EventBody.class, answer, e -> {
            new PropertyList()
                    .with("id", e.id())
                    .with("type", e.type() + " (" + e.cause() + ", by the " + e.source() + ")")
                    .with("rollout", e.rollout())
                    .with("rehearsal", e.rehearsal() == null ? null : "yes: nothing is done to the machines")
                    .with("status", e.outcome() == null ? e.status() : e.status() + ": " + e.outcome())
                    .with("group", DisplayNames.of(e.tenant(), e.group()))
                    .with("machines", e.machines())
                    .with("update domain", e.updateDomain())
                    .with("description", e.description())
                    .with("notice", e.notice())
                    .with("not before", DisplayNames.time(e.notBefore()))
                    .with("duration", e.duration())
                    .with("shown to machines", e.visible() == null ? null : e.visible() ? "yes" : "no")
                    .with(
                            "approved",
                            e.approvedBy() == null
                                    ? null
                                    : DisplayNames.of(e.approvedBy()) + " at " + DisplayNames.time(e.approvedAt()))
                    .with("started", DisplayNames.time(e.startedAt()))
                    .with("seen by", seen(e.seenAt()))
                    .with("joined by", e.joinedBy())
                    .with("ready", e.readyAt())
                    .with(
                            "postponed",
                            e.postponements() == null
                                    ? null
                                    : e.postponements().stream()
                                            .map(p -> "by a " + p.by() + " until " + DisplayNames.time(p.until()))
                                            .toList())
                    .with(
                            "held by",
                            e.blockers() == null
                                    ? null
                                    : String.join(
                                            "; ",
                                            e.blockers().stream()
                                                    .map(EventCommand::hold)
                                                    .toList()))
                    .with("by policy", byPolicy(e))
                    .print(serverCommand.out());
            if (e.history() != null && !e.history().isEmpty()) {
                serverCommand.say("");
                Table table = new Table(serverCommand.out(), HistoryCommand.HEADS_OF_ONE_EVENT);
                e.history().forEach(entry -> table.row(HistoryCommand.rowOfOneEvent(entry)));
                table.end();
            }
        });
    }

    /** Only values set by a policy; the others are service terms. */
    private static List<String> byPolicy(EventBody event) {
        return event.policy() == null
                ? null
                : event.policy().stream()
                        .filter(v -> v.source().startsWith("the policy"))
                        .map(v -> v.name() + "=" + v.value() + " (" + v.source().replace("the policy of ", "") + ")")
                        .toList();
    }

    static String hold(StartBlockerBody hold) {
        return hold.reason() + (hold.until() == null ? "" : ", until " + DisplayNames.time(hold.until()));
    }

    @Command(
            description = "Postpone an event, as far as its policy allows.",
            footer = {
                "",
                "Examples:",
                "  forewarn event postpone ID --by 2h",
                "  forewarn event postpone ID --until 'fri 22:00 Europe/Berlin' --reason 'month-end closing'"
            })
    int postpone(
            @Mixin ServerCommand serverCommand,
            @Parameters(paramLabel = "ID") String id,
            @Option(
                            names = "--until",
                            paramLabel = "TIME",
                            description = "New earliest start, such as 'fri 22:00' or 2030-01-01T00:00:00Z.")
                    String until,
            @Option(names = "--by", paramLabel = "DURATION", description = "Postpone by this much, such as 2h.")
                    String by,
            @Mixin ReasonOption reason) {
        CommandResultBody outcome = serverCommand
                .client()
                .send(
                        CommandResultBody.class,
                        Route.EVENT_POSTPONE,
                        new PostponeRequest(until, by, reason.text()),
                        new EventIdResolver(serverCommand).whole(id));
        return ActionResultPrinter.tell(serverCommand, outcome.events(), false, "postponed");
    }

    private static Map<String, String> seen(Map<String, String> times) {
        if (times == null) {
            return null;
        }
        Map<String, String> read = new TreeMap<>();
        times.forEach((machine, at) -> read.put(machine, DisplayNames.time(at)));
        return read;
    }

    @Command(
            description = "Approve an event: it starts without waiting for the rest of the notice.",
            footer = {
                "",
                "Examples:",
                "  forewarn event approve ID",
                "  forewarn event approve ID ID --wait      and wait until both have ended",
                "  forewarn event approve ID --reason 'nobody works on it tonight'"
            })
    int approve(
            @Mixin ServerCommand serverCommand,
            @Parameters(paramLabel = "ID", arity = "1..*") List<String> ids,
            @Option(
                            names = "--wait",
                            description = "Wait until the events have ended; exit code 1 if the work was not done.")
                    boolean wait,
            @Mixin ReasonOption reason) {
        return ActionResultPrinter.tell(
                serverCommand,
                each(serverCommand, Route.EVENT_APPROVE, new EventIdResolver(serverCommand).whole(ids), reason),
                wait,
                "approved");
    }

    @Command(
            description = {
                "Wait until events were approved, have started or are gone.",
                "Counts real time, whatever the service's clock says."
            },
            footer = {
                "",
                "Exit codes: 0 it has happened; 1 it can no longer happen: the event started without approval, or ended"
                        + " without its work being done; 5 the time was up.",
                "",
                "Examples:",
                "  forewarn event wait ID --for approved --within 5m",
                "  forewarn event wait ID ID      until both are gone"
            })
    int wait(
            @Mixin ServerCommand serverCommand,
            @Parameters(paramLabel = "ID", arity = "1..*") List<String> ids,
            @Option(
                            names = "--for",
                            paramLabel = "MOMENT",
                            defaultValue = "gone",
                            description = "approved, started or gone; default: gone.")
                    String moment,
            @Option(names = "--within", paramLabel = "DURATION", description = "At most this long, such as 5m.")
                    String within) {
        EventMoment wanted = EventMoment.parse(moment)
                .orElseThrow(() ->
                        CommandRefusedException.wrong("--for must be approved, started or gone, not '" + moment + "'"));
        Waiting waiting = new Waiting(Waiting.within(within));
        List<EventBody> events =
                new EventWaiter(serverCommand, waiting).until(wanted, new EventIdResolver(serverCommand).whole(ids));
        if (serverCommand.json()) {
            serverCommand.raw(Json.write(new CommandResultBody(events, 0)));
        }
        if (events.stream().allMatch(wanted::hasCome)) {
            return ExitCode.DONE;
        }
        return events.stream().anyMatch(wanted::wasMissed) ? ExitCode.REFUSED : ExitCode.TIME_UP;
    }

    @Command(
            description = "Cancel events that have not started.",
            footer = {
                "",
                "Examples:",
                "  forewarn event cancel ID",
                "  forewarn event cancel ID --reason 'the host is retired'"
            })
    int cancel(
            @Mixin ServerCommand serverCommand,
            @Parameters(paramLabel = "ID", arity = "1..*") List<String> ids,
            @Mixin ReasonOption reason) {
        List<String> whole = new EventIdResolver(serverCommand).whole(ids);
        List<EventBody> events = each(serverCommand, Route.EVENT_CANCEL, whole, reason);
        if (serverCommand.json()) {
            return ActionResultPrinter.tell(serverCommand, events, false, "cancelled");
        }
        whole.forEach(id -> serverCommand.say(id + " cancelled"));
        return ExitCode.DONE;
    }

    private static List<EventBody> each(
            ServerCommand serverCommand, Route route, List<String> ids, ReasonOption reason) {
        List<EventBody> events = new ArrayList<>();
        for (String id : ids) {
            events.addAll(serverCommand
                    .client()
                    .send(CommandResultBody.class, route, reason.request(), id)
                    .events());
        }
        return events;
    }
}
