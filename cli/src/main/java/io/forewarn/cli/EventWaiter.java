package io.forewarn.cli;

import io.forewarn.wire.control.EventBody;
import io.forewarn.wire.control.Route;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Waits until events have ended, and prints each change of status. */
final class EventWaiter {
    private static final long FIRST_PAUSE = 100;
    private static final long LONGEST_PAUSE = 1_000;

    private final ServerCommand serverCommand;
    private final Map<String, String> told = new HashMap<>();

    EventWaiter(ServerCommand serverCommand) {
        this.serverCommand = serverCommand;
    }

    /** Returns the events in their final state. */
    List<EventBody> untilGone(List<EventBody> events) {
        List<EventBody> ended = new ArrayList<>();
        for (EventBody event : events) {
            ended.add(untilGone(event.id()));
        }
        return ended;
    }

    private EventBody untilGone(String id) {
        long pause = FIRST_PAUSE;
        while (true) {
            EventBody now =
                    serverCommand.client().ask(EventBody.class, Route.EVENT, List.of(id), Map.of("history", "false"));
            tell(now);
            if (now.status().equals("ended")) {
                return now;
            }
            try {
                Thread.sleep(pause);
            } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
                throw new CommandRefusedException("stopped waiting for " + id);
            }
            pause = Math.min(LONGEST_PAUSE, pause * 2);
        }
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

    static boolean done(EventBody ended) {
        return ended.outcome() != null && ended.outcome().startsWith("completed");
    }
}
