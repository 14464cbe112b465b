package io.forewarn.core.engine;

import io.forewarn.core.Actor;
import io.forewarn.core.RefusedException;
import io.forewarn.core.audit.AuditEntry;
import io.forewarn.core.audit.AuditHead;
import io.forewarn.core.audit.AuditPage;
import io.forewarn.core.audit.AuditPageHash;
import io.forewarn.core.rules.Command;
import java.time.Duration;
import java.time.Instant;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Writes the audit log: everything that people and machines did, and, up to a limit per person, what people were refused.
 * Refusals of machines are left out because anyone can own a machine. For the writer's thread.
 */
final class AuditWriter {
    /** How many refusals of one person are written at once, and how long until there is room for one more. */
    static final int REFUSALS = 200;

    static final Duration BETWEEN_REFUSALS = Duration.ofSeconds(20);

    private static final int PEOPLE = 1000;

    /** The next page of the hash chain, encoded. */
    record Link(String key, byte[] value, AuditHead head) {}

    private final RecordFormat format;
    private final PublishedState published;
    /** Entries about refusals that did not get into a commit: room for them was taken once. */
    private final IdentityHashMap<PendingCommand, Optional<AuditEntry>> unwritten = new IdentityHashMap<>();

    private final Map<String, Room> rooms = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Room> eldest) {
            return size() > PEOPLE;
        }
    };

    AuditWriter(RecordFormat format, PublishedState published) {
        this.format = format;
        this.published = published;
    }

    Optional<AuditEntry> done(Command command) {
        if (command instanceof Command.NoteLoss loss) {
            return Optional.of(new AuditEntry(loss.actor(), CommandAuditText.of(loss), null, "", loss.lost()));
        }
        boolean unasked = command.actor().kind() == Actor.Kind.SERVICE || command instanceof Command.Sight;
        return unasked ? Optional.empty() : Optional.of(AuditEntry.done(command.actor(), CommandAuditText.of(command)));
    }

    /** Keeps the entry about a refused command that will be decided again. */
    void keep(PendingCommand pending, Optional<AuditEntry> entry) {
        unwritten.put(pending, entry);
    }

    Optional<AuditEntry> refused(PendingCommand pending, RefusedException refusal, Instant now) {
        return unwritten.containsKey(pending) ? unwritten.remove(pending) : refused(pending.command(), refusal, now);
    }

    private Optional<AuditEntry> refused(Command command, RefusedException refusal, Instant now) {
        if (command.actor().kind() != Actor.Kind.PERSON) {
            return Optional.empty();
        }
        Room room = rooms.computeIfAbsent(command.actor().name(), name -> new Room(now));
        if (!room.take(now)) {
            return Optional.empty();
        }
        String left = room.left == 0 ? "" : " (" + room.left + " earlier refusals were not recorded)";
        room.left = 0;
        return Optional.of(new AuditEntry(
                command.actor(), CommandAuditText.of(command), refusal.problem(), refusal.getMessage() + left));
    }

    Link link(long commit, Instant at, List<AuditEntry> deeds) {
        AuditHead before = published.auditHead();
        AuditPage page = new AuditPage(before.number() + 1, commit, at, before.hash(), deeds);
        byte[] value = AuditPageHash.seal(format.write(page));
        return new Link(page.key(), value, new AuditHead(page.number(), AuditPageHash.named(value)));
    }

    /** A token bucket for one person's refusals. */
    private static final class Room {
        private int free = REFUSALS;
        private Instant since;
        private long left;

        Room(Instant now) {
            this.since = now;
        }

        boolean take(Instant now) {
            long passed = Duration.between(since, now).dividedBy(BETWEEN_REFUSALS);
            if (passed > 0) {
                free = (int) Math.min(REFUSALS, free + passed);
                since = free == REFUSALS ? now : since.plus(BETWEEN_REFUSALS.multipliedBy(passed));
            }
            if (free == 0) {
                left++;
                return false;
            }
            free--;
            return true;
        }
    }
}
