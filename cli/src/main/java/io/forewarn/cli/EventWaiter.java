package io.forewarn.cli;

import io.forewarn.wire.control.EventBody;
import io.forewarn.wire.control.Route;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Waits until something has happened to events, and prints each change of status. */
final class EventWaiter {
    private final ServerCommand serverCommand;
    private final Waiting waiting;
    private final Map<String, String> told = new HashMap<>();

    EventWaiter(ServerCommand serverCommand, Waiting waiting) {
        this.serverCommand = serverCommand;
        this.waiting = waiting;
    }

    /** Returns the events in their final state. */
    List<EventBody> untilGone(List<EventBody> events) {
        return until(EventMoment.GONE, events.stream().map(EventBody::id).toList());
    }

    /** Returns the events as they were when the moment had come or was missed, or when the time was up. */
    List<EventBody> until(EventMoment moment, List<String> ids) {
        return ids.stream().map(id -> until(moment, id)).toList();
    }

    private EventBody until(EventMoment moment, String id) {
        return waiting.until(
                () -> {
                    EventBody now = serverCommand
                            .client()
                            .ask(EventBody.class, Route.EVENT, List.of(id), Map.of("history", "false"));
                    tell(now);
                    return now;
                },
                now -> moment.hasCome(now) || moment.wasMissed(now),
                id);
    }

    private void tell(EventBody event) {
        if (!event.status().equals(told.put(event.id(), event.status()))) {
            String more = event.status().equals("ended")
                    ? ": " + event.outcome()
                    : event.status().equals("scheduled")
                            ? ", " + ActionResultPrinter.scheduled(serverCommand, event)
                            : "";
            serverCommand.warn(event.id() + " " + event.status() + more);
        }
    }
}
