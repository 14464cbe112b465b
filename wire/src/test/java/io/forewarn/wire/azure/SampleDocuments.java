package io.forewarn.wire.azure;

import io.forewarn.core.engine.EventsDocument;
import io.forewarn.core.event.Cause;
import io.forewarn.core.event.Event;
import io.forewarn.core.event.EventId;
import io.forewarn.core.event.NoticePeriod;
import io.forewarn.core.event.StartAttempt;
import io.forewarn.core.event.Work;
import io.forewarn.core.fleet.GroupId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

/** Documents in each state a machine can meet. */
enum SampleDocuments {
    EMPTY(1),
    SCHEDULED(2, scheduled(1, Cause.RESTART, "FrontEnd_IN_0")),
    STARTED(3, started(scheduled(1, Cause.RESTART, "FrontEnd_IN_0"))),
    FAILED_HARDWARE(4, started(accepted(2, Cause.FAILURE, "Hardware failure.", "BackEnd_IN_0"))),
    EVERYTHING(
            17,
            scheduled(1, Cause.FREEZE, "FrontEnd_IN_0", "BackEnd_IN_0"),
            started(scheduled(2, Cause.RESTART, "FrontEnd_IN_1")),
            scheduled(3, Cause.REDEPLOY, "FrontEnd_IN_2"),
            scheduled(4, Cause.PREEMPT, "Spot_IN_0"),
            scheduled(5, Cause.TERMINATE, "FrontEnd_IN_3"),
            announced(accepted(6, Cause.RESTART, "", "BackEnd_IN_1")),
            announced(accepted(
                    7,
                    Cause.RESTART,
                    "\"quoted\" \\ back\nline \u00e9 \u2603 \ud83d\ude80 </script>",
                    "BackEnd_IN_2")));

    final EventsDocument document;

    SampleDocuments(long incarnation, Event... events) {
        document = new EventsDocument(new GroupId("default", "web"), incarnation, List.of(events));
    }

    static Event scheduled(int number, Cause cause, String... machines) {
        return announced(accepted(number, cause, cause.description(), machines));
    }

    static Event accepted(int number, Cause cause, String description, String... machines) {
        EventId id = new EventId(new UUID(0x602d9444d2cd49c7L, 0x86248643e7171290L + number));
        Duration interruption = cause == Cause.FREEZE ? Duration.ofSeconds(10) : null;
        return Event.accepted(
                id, new Work(cause, List.of(machines), 0, Duration.ofMinutes(15), description, interruption, asked()));
    }

    static Event announced(Event event) {
        return event.scheduled(
                new NoticePeriod(asked(), asked().plus(event.work().notice()), 1));
    }

    static Event started(Event event) {
        return event.started(new StartAttempt(asked().plusSeconds(60), 1, 1), true);
    }

    private static Instant asked() {
        return Instant.parse("2016-09-05T08:04:05Z");
    }
}
