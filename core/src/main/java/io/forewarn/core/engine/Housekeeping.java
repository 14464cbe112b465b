package io.forewarn.core.engine;

import io.forewarn.core.Actor;
import io.forewarn.core.ClockReading;
import io.forewarn.core.RefusedException;
import io.forewarn.core.audit.AuditAnchor;
import io.forewarn.core.audit.AuditHead;
import io.forewarn.core.audit.AuditPage;
import io.forewarn.core.audit.AuditPageHash;
import io.forewarn.core.history.LogPage;
import io.forewarn.core.rules.Command;
import io.forewarn.core.rules.LastPolls;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * Periodic work, done a little at a time: saves poll times and the service time, and drops old history. It is scheduled by
 * elapsed time; the age of history is measured by the {@link RetentionClock}.
 */
final class Housekeeping {
    private static final long BETWEEN_SAVES = Duration.ofMinutes(5).toNanos();
    private static final long BETWEEN_SWEEPS = Duration.ofHours(1).toNanos();
    /** While a notice runs, how long it could be read must be known after a crash. */
    private static final long BETWEEN_MARKS = Duration.ofMinutes(1).toNanos();

    private static final int GROUPS_PER_TURN = 20;
    private static final int PAGES_PER_TURN = 60;
    private static final int AUDIT_PAGES_PER_TURN = 50;

    private final EngineContext context;
    private final PublishedState view;
    private final Duration logKept;
    private final DowntimeTracker downtime;
    private final Deque<GroupView> unsaved = new ArrayDeque<>();
    /** Rollouts whose history is no longer kept. */
    private final Deque<String> outlived = new ArrayDeque<>();

    private RetentionClock retention;
    private Long nextSave;
    private long nextSweep = Long.MIN_VALUE;
    private Long marked;
    private int historyDropped;
    private int auditDropped;

    Housekeeping(EngineContext context, PublishedState view, Duration logKept, DowntimeTracker downtime) {
        this.context = context;
        this.view = view;
        this.logKept = logKept;
        this.downtime = downtime;
    }

    /** A slice of what is to be saved. */
    List<Command> chores(ClockReading now) {
        if (nextSave == null) {
            nextSave = now.nanos() + BETWEEN_SAVES;
        }
        if (unsaved.isEmpty() && now.nanos() - nextSave >= 0) {
            collect(now);
        }
        List<Command> chores = new ArrayList<>(slice(GROUPS_PER_TURN));
        if (!outlived.isEmpty()) {
            chores.add(new Command.RemoveRollout(outlived.poll(), Actor.SERVICE));
        }
        return chores;
    }

    /** All that is to be saved, slice by slice. */
    List<Command> last(ClockReading now) {
        unsaved.clear();
        collect(now);
        List<Command> all = new ArrayList<>();
        for (List<Command> slice = slice(GROUPS_PER_TURN); !slice.isEmpty(); slice = slice(GROUPS_PER_TURN)) {
            all.addAll(slice);
        }
        return all;
    }

    private void collect(ClockReading now) {
        nextSave = now.nanos() + BETWEEN_SAVES;
        view.allGroups().stream().filter(GroupView::isUnsaved).forEach(unsaved::add);
    }

    private List<Command> slice(int most) {
        List<LastPolls> polls = new ArrayList<>();
        while (polls.size() < most && !unsaved.isEmpty()) {
            GroupView group = unsaved.poll();
            // First: a poll from here on is saved the next time.
            group.unsaved(false);
            polls.add(view.lastPolls(group.id()));
        }
        return polls.isEmpty() ? List.of() : List.of(new Command.SavePolls(polls));
    }

    /**
     * The service time, if it was not saved for a while.
     *
     * @param urgent whether the notice of any event is running
     * @param oldest the oldest commit whose events wait for their notice
     */
    Optional<PendingCommit> mark(ClockReading now, boolean urgent, LongSupplier oldest, long seq, long epoch) {
        if (marked != null && now.nanos() - marked < (urgent ? BETWEEN_MARKS : BETWEEN_SAVES)) {
            return Optional.empty();
        }
        marked = now.nanos();
        return retention(now).map(known -> {
            TimeMark mark = new TimeMark(
                    now.wall(),
                    known.proven(undoubted(now)),
                    context.clock().uptime(),
                    seq,
                    context.clock().doubt(),
                    downtime.upTo(now, seq, oldest.getAsLong()));
            return new Chore(
                    Commit.of(seq, epoch, Map.of(TimeMark.KEY, context.format().write(mark)), List.of()));
        });
    }

    /** Service time was set, or a stall is over; this must be stored for a restart. */
    void markSoon() {
        marked = null;
    }

    /** History does not age by a jump of time that is still in doubt. */
    private ClockReading undoubted(ClockReading now) {
        return new ClockReading(now.wall().minus(context.clock().doubt()), now.nanos());
    }

    private Optional<RetentionClock> retention(ClockReading now) {
        try {
            if (retention == null) {
                retention = RetentionClock.resumed(StateLoader.time(context.store(), context.format()), undoubted(now));
            }
        } catch (StoreException unreadable) {
            context.listener().troubled(unreadable);
        }
        return Optional.ofNullable(retention);
    }

    /** Old pages of the log, when it is time and there are any. */
    Optional<PendingCommit> sweep(ClockReading now, long seq, long epoch) {
        Optional<RetentionClock> known =
                nextSweep == Long.MIN_VALUE || now.nanos() - nextSweep >= 0 ? retention(now) : Optional.empty();
        if (known.isEmpty()) {
            return Optional.empty();
        }
        Instant oldest = known.get().proven(undoubted(now)).minus(logKept);
        List<String> keys = new ArrayList<>();
        Map<String, byte[]> puts = new HashMap<>();
        Instant begins = null;
        int history = 0;
        try {
            for (Map.Entry<String, byte[]> row : firstPages().entrySet()) {
                if (context.format().read(row.getKey(), row.getValue()) instanceof LogPage page) {
                    if (page.at().isBefore(oldest)) {
                        keys.add(row.getKey());
                    } else if (begins == null || page.at().isBefore(begins)) {
                        begins = page.at();
                    }
                }
            }
            history = keys.size();
            Optional<AuditHead> dropped = oldAudit(oldest).map(last -> {
                AuditHead head = new AuditHead(AuditPage.number(last.key()), AuditPageHash.named(last.value()));
                for (long number = last.first(); number <= head.number(); number++) {
                    keys.add(AuditPage.key(number));
                }
                return head;
            });
            if (!keys.isEmpty()) {
                AuditHead head =
                        dropped.isPresent() ? dropped.get() : AuditVerifier.anchor(context.store(), context.format());
                puts.put(AuditAnchor.KEY, context.format().write(new AuditAnchor(head, now.wall(), oldest)));
            }
        } catch (StoreException unreadable) {
            context.listener().troubled(unreadable);
            keys.clear();
        }
        if (keys.isEmpty()) {
            outlive(begins, oldest);
            swept(oldest);
            nextSweep = now.nanos() + BETWEEN_SWEEPS;
            return Optional.empty();
        }
        return Optional.of(new Sweep(Commit.of(seq, epoch, puts, keys), now, oldest, history));
    }

    private void swept(Instant oldest) {
        if (historyDropped + auditDropped > 0) {
            context.listener().swept(historyDropped, auditDropped, oldest);
        }
        historyDropped = 0;
        auditDropped = 0;
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

    /** The newest of the old audit pages that may be dropped, and the number of the oldest. */
    private record OldAudit(long first, String key, byte[] value) {}

    /** A page that was tampered with is kept with all later ones, and so is the newest, so that the chain never starts over. */
    private Optional<OldAudit> oldAudit(Instant oldest) throws StoreException {
        List<Map.Entry<String, byte[]>> rows = new ArrayList<>();
        context.store()
                .scan(AuditPage.PREFIX, "", AUDIT_PAGES_PER_TURN, (key, value) -> rows.add(Map.entry(key, value)));
        OldAudit old = null;
        for (Map.Entry<String, byte[]> row : rows) {
            long number = AuditPage.number(row.getKey());
            Optional<AuditPageHash.Sealed> sealed =
                    AuditPageHash.open(row.getValue()).filter(AuditPageHash.Sealed::intact);
            if (number >= view.auditHead().number()
                    || sealed.isEmpty()
                    || !(context.format().read(row.getKey(), sealed.get().content()) instanceof AuditPage page)
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
        context.store().scan(LogPage.PREFIX, "", PAGES_PER_TURN, rows::put);
        return rows;
    }

    /** No caller waits for it, and it is retried later. */
    private static class Chore implements PendingCommit {
        private final Commit commit;

        Chore(Commit commit) {
            this.commit = commit;
        }

        @Override
        public Commit commit() {
            return commit;
        }

        @Override
        public void committed(long nanos) {
            // Nothing is published.
        }

        @Override
        public void abandoned(RefusedException refusal) {
            // No caller waits.
        }

        @Override
        public void rejected(StoreException problem) {
            // The next time is early enough.
        }
    }

    private final class Sweep extends Chore {
        private final ClockReading now;
        private final Instant oldest;
        private final int history;

        Sweep(Commit commit, ClockReading now, Instant oldest, int history) {
            super(commit);
            this.now = now;
            this.oldest = oldest;
            this.history = history;
        }

        @Override
        public void committed(long nanos) {
            int audit = commit().deletes().size() - history;
            historyDropped += history;
            auditDropped += audit;
            // Otherwise the next turn finds more, and one log line covers all of it.
            if (history < PAGES_PER_TURN && audit < AUDIT_PAGES_PER_TURN) {
                swept(oldest);
            }
        }

        @Override
        public void rejected(StoreException problem) {
            nextSweep = now.nanos() + BETWEEN_SWEEPS;
        }
    }
}
