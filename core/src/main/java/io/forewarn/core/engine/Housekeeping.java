package io.forewarn.core.engine;

import io.forewarn.core.Actor;
import io.forewarn.core.Moment;
import io.forewarn.core.Refusal;
import io.forewarn.core.audit.AuditAnchor;
import io.forewarn.core.audit.AuditHead;
import io.forewarn.core.audit.AuditPage;
import io.forewarn.core.audit.Seal;
import io.forewarn.core.fleet.Machine;
import io.forewarn.core.rules.Command;
import io.forewarn.core.rules.LogPage;
import io.forewarn.core.rules.Polls;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What is done now and then, a little at a time: saving who asked when, and dropping history that is old enough. */
final class Housekeeping {
    private static final Duration BETWEEN_SAVES = Duration.ofMinutes(5);
    private static final Duration BETWEEN_SWEEPS = Duration.ofHours(1);
    private static final int GROUPS_PER_TURN = 20;
    private static final int PAGES_PER_TURN = 60;
    private static final int AUDIT_PAGES_PER_TURN = 50;

    private final Doors doors;
    private final View view;
    private final Duration logKept;
    private final Deque<GroupView> unsaved = new ArrayDeque<>();
    /** Rollouts whose history is no longer kept. */
    private final Deque<String> outlived = new ArrayDeque<>();

    private Instant nextSave = Instant.MIN;
    private Instant nextSweep = Instant.MIN;
    private long savedUpTo;

    Housekeeping(Doors doors, View view, Duration logKept) {
        this.doors = doors;
        this.view = view;
        this.logKept = logKept;
    }

    /** A slice of what is to be saved. */
    List<Command> chores(Moment now) {
        if (nextSave == Instant.MIN) {
            nextSave = now.wall().plus(BETWEEN_SAVES);
        }
        if (unsaved.isEmpty() && !now.wall().isBefore(nextSave)) {
            collect(now);
        }
        List<Command> chores = new ArrayList<>(slice(GROUPS_PER_TURN));
        if (!outlived.isEmpty()) {
            chores.add(new Command.RemoveRollout(outlived.poll(), Actor.SERVICE));
        }
        return chores;
    }

    /** All that is to be saved, slice by slice. */
    List<Command> last(Moment now) {
        collect(now);
        List<Command> all = new ArrayList<>();
        for (List<Command> slice = slice(GROUPS_PER_TURN); !slice.isEmpty(); slice = slice(GROUPS_PER_TURN)) {
            all.addAll(slice);
        }
        return all;
    }

    private void collect(Moment now) {
        nextSave = now.wall().plus(BETWEEN_SAVES);
        view.allGroups().stream().filter(g -> g.lastPoll() > savedUpTo).forEach(unsaved::add);
        savedUpTo = now.wall().toEpochMilli();
    }

    private List<Command> slice(int most) {
        List<Polls> polls = new ArrayList<>();
        while (polls.size() < most && !unsaved.isEmpty()) {
            polls.add(polls(unsaved.poll()));
        }
        return polls.isEmpty() ? List.of() : List.of(new Command.SavePolls(polls));
    }

    private Polls polls(GroupView group) {
        Map<String, Polls.Poll> machines = new HashMap<>();
        for (Machine machine : group.machines()) {
            MachineView known = view.find(machine.id());
            if (known != null && known.lastPoll() > 0) {
                machines.put(
                        machine.name(), new Polls.Poll(Instant.ofEpochMilli(known.lastPoll()), known.apiVersion()));
            }
        }
        return new Polls(group.id(), machines);
    }

    /** Old pages of the log, when it is time and there are any. */
    Optional<Transaction> sweep(Moment now, long seq, long epoch) {
        if (now.wall().isBefore(nextSweep)) {
            return Optional.empty();
        }
        Instant oldest = now.wall().minus(logKept);
        List<String> keys = new ArrayList<>();
        Map<String, byte[]> puts = new HashMap<>();
        Instant begins = null;
        try {
            for (Map.Entry<String, byte[]> row : firstPages().entrySet()) {
                if (doors.format().read(row.getKey(), row.getValue()) instanceof LogPage page) {
                    if (page.at().isBefore(oldest)) {
                        keys.add(row.getKey());
                    } else if (begins == null || page.at().isBefore(begins)) {
                        begins = page.at();
                    }
                }
            }
            oldAudit(oldest).ifPresent(last -> {
                AuditHead dropped = new AuditHead(AuditPage.number(last.key()), Seal.named(last.value()));
                for (long number = last.first(); number <= dropped.number(); number++) {
                    keys.add(AuditPage.key(number));
                }
                puts.put(AuditAnchor.KEY, doors.format().write(new AuditAnchor(dropped)));
            });
        } catch (StoreException unreadable) {
            doors.journal().troubled(unreadable);
        }
        if (keys.isEmpty()) {
            outlive(begins, oldest);
            nextSweep = now.wall().plus(BETWEEN_SWEEPS);
            return Optional.empty();
        }
        return Optional.of(new Sweep(Commit.of(seq, epoch, puts, keys), now));
    }

    /**
     * Rollouts are kept as long as the log is.
     *
     * @param begins when the oldest page was written that is kept; null if there is none
     */
    private void outlive(Instant begins, Instant oldest) {
        outlived.clear();
        view.rollouts().stream()
                .filter(r -> r.isOver() && r.open() == 0 && begins != null)
                .filter(r -> r.endedAt().isBefore(begins) && r.endedAt().isBefore(oldest))
                .forEach(r -> outlived.add(r.name()));
    }

    /** The newest of the oldest audit pages that may go, and the number of the first of them. */
    private record OldAudit(long first, String key, byte[] value) {}

    /** A page that was tampered with stays, and what comes after it; and the newest, so that the chain never begins anew. */
    private Optional<OldAudit> oldAudit(Instant oldest) throws StoreException {
        List<Map.Entry<String, byte[]>> rows = new ArrayList<>();
        doors.store().scan(AuditPage.PREFIX, "", AUDIT_PAGES_PER_TURN, (key, value) -> rows.add(Map.entry(key, value)));
        OldAudit old = null;
        for (Map.Entry<String, byte[]> row : rows) {
            long number = AuditPage.number(row.getKey());
            Optional<Seal.Sealed> sealed = Seal.open(row.getValue()).filter(Seal.Sealed::intact);
            if (number >= view.auditHead().number()
                    || sealed.isEmpty()
                    || !(doors.format().read(row.getKey(), sealed.get().content()) instanceof AuditPage page)
                    || !page.at().isBefore(oldest)
                    || number != (old == null ? number : AuditPage.number(old.key) + 1)) {
                break;
            }
            old = new OldAudit(old == null ? number : old.first, row.getKey(), row.getValue());
        }
        return Optional.ofNullable(old);
    }

    private Map<String, byte[]> firstPages() throws StoreException {
        Map<String, byte[]> rows = new HashMap<>();
        doors.store().scan(LogPage.PREFIX, "", PAGES_PER_TURN, rows::put);
        return rows;
    }

    private final class Sweep implements Transaction {
        private final Commit commit;
        private final Moment now;

        Sweep(Commit commit, Moment now) {
            this.commit = commit;
            this.now = now;
        }

        @Override
        public Commit commit() {
            return commit;
        }

        @Override
        public void committed(long nanos) {
            // The next turn looks for more.
        }

        @Override
        public void abandoned(Refusal refusal) {
            // Nobody waits for a sweep.
        }

        @Override
        public void rejected(StoreException problem) {
            nextSweep = now.wall().plus(BETWEEN_SWEEPS);
        }
    }
}
