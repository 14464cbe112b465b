package io.forewarn.cli;

import io.forewarn.wire.control.EventBody;
import io.forewarn.wire.control.Json;
import io.forewarn.wire.control.OutcomeBody;
import java.util.List;

/** Tells what a command did, and waits for the end of its events if asked to. */
final class Outcome {
    private Outcome() {}

    static int tell(Asking asking, List<EventBody> events, boolean wait, String verb) {
        if (!asking.json()) {
            events.forEach(e -> asking.say(sentence(e, verb)));
        }
        List<EventBody> last = wait ? new Waiting(asking).untilGone(events) : events;
        if (asking.json()) {
            asking.raw(Json.write(new OutcomeBody(last, 0)));
        }
        return !wait || last.stream().allMatch(Waiting::done) ? Exit.DONE : Exit.REFUSED;
    }

    private static String sentence(EventBody event, String verb) {
        if (event.machines() == null) {
            return event.id() + " " + verb + ", already over";
        }
        String when =
                switch (event.status()) {
                    case "scheduled" -> "starts at " + Naming.time(event.notBefore()) + " unless approved";
                    case "started" ->
                        event.shown() != null && event.shown()
                                ? "started"
                                : "started without notice: nobody asks in its group";
                    case "waiting" -> "waits for another event of the machine";
                    default -> event.status();
                };
        return event.id() + "  " + event.type() + " of " + String.join(", ", event.machines()) + "  " + when;
    }

    static int changes(Asking asking, OutcomeBody outcome) {
        if (asking.json()) {
            asking.raw(Json.write(outcome));
        } else {
            asking.say(outcome.changes() == 0 ? "Nothing to change." : outcome.changes() + " changed.");
        }
        return Exit.DONE;
    }
}
