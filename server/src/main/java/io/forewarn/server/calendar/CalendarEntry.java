package io.forewarn.server.calendar;

import io.forewarn.core.event.Cause;
import io.forewarn.core.event.EventId;
import io.forewarn.core.fleet.GroupId;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.UUID;

/**
 * Represents work on the machines of one group in a calendar.
 *
 * @param rollout null if it is part of none
 * @param event null while it is only planned
 * @param rehearsal whether nothing is done to the machines
 * @param planned the date that people were told: where the work is until it starts
 * @param starts when it starts, or did
 * @param ends when it ends, or did
 * @param revised when it last changed
 * @param description what machines are told, why it is at that time, or why it ended; may be blank
 * @param replaced the sequence number of an earlier entry with the same UID, or 0
 */
record CalendarEntry(
        GroupId group,
        String rollout,
        EventId event,
        Cause cause,
        boolean rehearsal,
        List<String> machines,
        Stage stage,
        Instant planned,
        Instant starts,
        Instant ends,
        Instant revised,
        String description,
        int replaced) {
    /** How far the work has come; a later stage is a later revision of the entry. */
    enum Stage {
        PLANNED,
        SCHEDULED,
        STARTED,
        DONE,
        FAILED,
        CANCELLED
    }

    private static final Instant EPOCH = Instant.parse("2020-01-01T00:00:00Z");
    private static final int NAMED = 3;
    private static final int LISTED = 100;

    /**
     * The same from the plan to the end. Work of a rollout is known by its first machine: the log does not say which unit an
     * event was for, and a machine that is worked on alone, later than the others of its unit, needs an entry of its own.
     */
    String uid() {
        String id = rollout == null
                ? event.toString()
                : UUID.nameUUIDFromBytes((rollout + " " + group + " " + cause + " " + machines.get(0))
                                .getBytes(StandardCharsets.UTF_8))
                        .toString();
        return id + "@forewarn";
    }

    /**
     * Grows with every move, start, end and cancellation, and needs no count of them that would have to be stored: a date
     * never moves back, and stays once the work has started. In seconds, so that it fits into 32 bits until 2088.
     */
    int sequence() {
        int step =
                switch (stage) {
                    case PLANNED, SCHEDULED -> 0;
                    case STARTED -> 1;
                    case DONE, FAILED -> 2;
                    case CANCELLED -> 3;
                };
        int own = (int) Math.max(0, Duration.between(EPOCH, planned).toSeconds()) + step;
        return own > replaced || replaced == 0 ? own : replaced + 1;
    }

    /** The same as a revision of an earlier entry. */
    CalendarEntry after(int sequence) {
        return new CalendarEntry(
                group,
                rollout,
                event,
                cause,
                rehearsal,
                machines,
                stage,
                planned,
                starts,
                ends,
                revised,
                description,
                Math.max(replaced, sequence));
    }

    boolean cancelled() {
        return stage == Stage.CANCELLED;
    }

    String summary() {
        int named = Math.min(NAMED, machines.size());
        int more = machines.size() - named;
        return (rehearsal ? "rehearsal: " : "") + word(cause.type()) + " of "
                + String.join(", ", machines.subList(0, named)) + (more > 0 ? " and " + more + " more" : "")
                + (rollout == null ? "" : " (rollout " + rollout + ")");
    }

    String details() {
        StringBuilder text = new StringBuilder(word(stage)).append(": ").append(word(cause.type()));
        if (rehearsal) {
            text.append("\nRehearsal: nothing is done to the machines");
        }
        text.append("\nGroup: ").append(group);
        text.append("\nMachines: ").append(String.join(", ", machines.subList(0, Math.min(LISTED, machines.size()))));
        if (machines.size() > LISTED) {
            text.append(" and ").append(machines.size() - LISTED).append(" more");
        }
        if (rollout != null) {
            text.append("\nRollout: ").append(rollout);
        }
        if (event != null) {
            text.append("\nEvent: ").append(event);
        }
        return description.isBlank()
                ? text.toString()
                : text.append('\n').append(description).toString();
    }

    private static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }
}
