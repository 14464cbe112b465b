package io.forewarn.core.rules;

import io.forewarn.core.event.EventId;
import io.forewarn.core.history.IdempotencyRecord;
import java.util.List;

/**
 * The result of a command that was carried out.
 *
 * @param events the events it created or changed, in the order the machines were named
 * @param changes how many parts of the fleet it added, changed or removed
 * @param repeated whether it was carried out before under the same idempotency key and this is only its result again; not
 *     stored
 */
public record CommandResult(List<EventId> events, int changes, boolean repeated) {
    public static final CommandResult NOTHING = new CommandResult(List.of(), 0);

    public CommandResult {
        events = List.copyOf(events);
    }

    public CommandResult(List<EventId> events, int changes) {
        this(events, changes, false);
    }

    /** The same, marked as repeated. */
    public CommandResult again() {
        return new CommandResult(events, changes, true);
    }

    public static CommandResult of(IdempotencyRecord.Outcome outcome) {
        return new CommandResult(outcome.events(), outcome.changes());
    }

    public IdempotencyRecord.Outcome outcome() {
        return new IdempotencyRecord.Outcome(events, changes);
    }

    public static CommandResult of(List<EventId> events) {
        return new CommandResult(events, 0);
    }
}
