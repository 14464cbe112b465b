package io.forewarn.core.engine;

import io.forewarn.core.ClockReading;
import io.forewarn.core.RefusedException;
import io.forewarn.core.audit.AuditEntry;
import io.forewarn.core.fleet.GroupId;
import io.forewarn.core.history.IdempotencyRecord;
import io.forewarn.core.history.LogPage;
import io.forewarn.core.rules.ChangeSet;
import io.forewarn.core.rules.Command;
import io.forewarn.core.rules.CommandResult;
import io.forewarn.core.rules.Rules;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The commands of one turn, decided in order, each on top of the changes of the ones before it, and the commit they become.
 */
final class CommitBatch implements PendingCommit, MultipartCommit.Whole {
    static final int MOST_COMMANDS = 512;

    /** Shared by all batches of an engine. */
    record Tools(
            Rules rules,
            CommitBuilder commitBuilder,
            Store.Limits limits,
            IdempotencyCache results,
            AuditWriter auditWriter,
            CommandQueues queues,
            BatchCompletion completion,
            EngineListener listener) {}

    /** A command that was accepted or refused. */
    record Decided(
            PendingCommand pending, CommandResult answer, RefusedException refusal, Optional<AuditEntry> refused) {
        Decided(PendingCommand pending, CommandResult answer) {
            this(pending, answer, null, Optional.empty());
        }

        Command command() {
            return pending.command();
        }
    }

    /** Where an accepted command is carried out. */
    private enum Place {
        HERE,
        /** In the next commit, as its first command. */
        NEXT,
        /** After the large change that is in progress. */
        LATER,
        /** In this commit, slice by slice. */
        STAGED
    }

    private final Tools tools;
    private final ClockReading now;
    private final ChangeSet draft;
    private final CommitRoom room;
    private final boolean staging;
    private final List<Decided> decided = new ArrayList<>();
    private final List<IdempotencyRecord> done = new ArrayList<>();
    private final List<AuditEntry> deeds = new ArrayList<>();
    private final List<GroupId> due = new ArrayList<>();
    private LogPage page;
    private AuditWriter.Link link;
    private Commit commit;
    private FleetPublication publication;
    private List<Command.Arrive> arrivals = List.of();
    private boolean full;
    private boolean staged;

    /**
     * @param draft empty, over the published state
     * @param staging whether a change too large for one commit is in progress
     */
    CommitBatch(Tools tools, ClockReading now, ChangeSet draft, boolean staging) {
        this.tools = tools;
        this.now = now;
        this.draft = draft;
        this.room = new CommitRoom(tools.limits());
        this.staging = staging;
    }

    /** Decides commands until there are no more, or the commit is full. */
    CommitBatch fill() {
        tools.queues().beginBatch();
        while (!full && decided.size() < MOST_COMMANDS) {
            PendingCommand next = tools.queues().next(now, staging, decided.size() + room.operations());
            if (next == null) {
                break;
            }
            if (next.byDeadline() && next.command() instanceof Command.Due look) {
                due.add(look.group());
            }
            take(next);
        }
        return this;
    }

    boolean isEmpty() {
        return decided.isEmpty() && due.isEmpty();
    }

    int size() {
        return decided.size();
    }

    /** Its one command is too large for one commit. */
    boolean isStaged() {
        return staged;
    }

    /** Whether nothing else may be decided while it is staged. */
    boolean isAlone() {
        return !(decided.get(0).command() instanceof Command.ChangeFleet);
    }

    private void take(PendingCommand pending) {
        try {
            Optional<IdempotencyRecord> before = repeated(pending);
            if (before.isPresent()) {
                decided.add(new Decided(
                        pending, CommandResult.of(before.get().outcome()).again()));
                return;
            }
            ChangeSet upper = draft.over();
            CommandResult result = tools.rules().decide(upper, pending.command(), now.wall());
            Optional<AuditEntry> deed = tools.auditWriter().done(pending.command());
            Place place = place(pending, upper, deed.map(AuditEntry::weight).orElse(0));
            if (place != Place.HERE && place != Place.STAGED) {
                return;
            }
            if (place == Place.STAGED && !upper.fleet().isEmpty()) {
                arrivals = upper.dropStates();
            }
            draft.absorb(upper);
            decided.add(new Decided(place == Place.STAGED ? pending.withoutPlan() : pending, result));
            deed.ifPresent(deeds::add);
            if (pending.once() != null) {
                Instant ages = pending.command() instanceof Command.MoveClock move ? move.target() : null;
                done.add(new IdempotencyRecord(
                        pending.once().key(), pending.once().fingerprint(), result.outcome(), ages));
            }
        } catch (RefusedException refusal) {
            refuse(pending, refusal);
        } catch (RuntimeException bug) {
            broken(pending, bug);
        } catch (StackOverflowError endless) {
            // One command must not end the service, which would meet it again after every start.
            broken(pending, new IllegalStateException("rules that ask each other without end", endless));
        }
    }

    private void broken(PendingCommand pending, RuntimeException bug) {
        tools.listener().failed(pending.command(), bug);
        tools.completion().failed(pending, bug, now);
    }

    private void refuse(PendingCommand pending, RefusedException refusal) {
        Optional<AuditEntry> deed = tools.auditWriter().refused(pending, refusal, now.wall());
        Store.Limits weight = new Store.Limits(0, deed.map(AuditEntry::weight).orElse(0));
        if (deed.isPresent() && !decided.isEmpty() && !room.fits(weight, decided.size())) {
            tools.auditWriter().keep(pending, deed);
            tools.queues().askNext(pending);
            full = true;
            return;
        }
        decided.add(new Decided(pending, null, refusal, deed));
        deed.ifPresent(deeds::add);
        room.take(weight);
    }

    private Place place(PendingCommand pending, ChangeSet upper, int deed) {
        Store.Limits changes = tools.commitBuilder().weigh(upper);
        Store.Limits weight = new Store.Limits(
                changes.operations(), (int) Math.min((long) changes.bytes() + deed, Integer.MAX_VALUE));
        boolean large = room.isLarge(pending.command(), weight);
        Place place;
        if (staging && (large || !upper.fleet().isEmpty())) {
            place = Place.LATER;
        } else if (large) {
            place = decided.isEmpty() ? Place.STAGED : Place.NEXT;
        } else {
            place = room.fits(weight, decided.size()) ? Place.HERE : Place.NEXT;
        }
        switch (place) {
            case HERE -> room.take(weight);
            case NEXT -> tools.queues().askNext(pending);
            case LATER -> tools.queues().defer(pending);
            case STAGED -> staged = true;
        }
        full = full || place == Place.NEXT || place == Place.STAGED;
        return place;
    }

    private Optional<IdempotencyRecord> repeated(PendingCommand pending) {
        if (pending.once() == null) {
            return Optional.empty();
        }
        Optional<IdempotencyRecord> here =
                done.stream().filter(d -> d.key().equals(pending.once().key())).findFirst();
        return here.isPresent()
                ? here.map(d -> IdempotencyCache.check(d, pending.once()))
                : tools.results().find(pending.once());
    }

    /** When its commands were decided. */
    ClockReading decidedAt() {
        return now;
    }

    List<Decided> decided() {
        return decided;
    }

    List<IdempotencyRecord> done() {
        return done;
    }

    /** The groups whose deadlines are among its commands. */
    List<GroupId> due() {
        return due;
    }

    /** As it was written; empty if there was nothing to write. */
    Optional<LogPage> writtenPage() {
        return Optional.ofNullable(page);
    }

    /** As it was written; empty if there was nothing to write. */
    Optional<AuditWriter.Link> writtenLink() {
        return Optional.ofNullable(link);
    }

    @Override
    public ChangeSet draft() {
        return draft;
    }

    @Override
    public List<Command.Arrive> arrivals() {
        return arrivals;
    }

    @Override
    public void prepared(FleetPublication publication) {
        this.publication = publication;
    }

    /** Its fleet change as it was prepared; empty if there is none, or if it is prepared when it is published. */
    Optional<FleetPublication> publication() {
        return Optional.ofNullable(publication);
    }

    @Override
    public LogPage page(long commit) {
        page = new LogPage(commit, now.wall(), draft.entries(), done);
        return page;
    }

    @Override
    public AuditWriter.Link link(long commit) {
        link = deeds.isEmpty() ? null : tools.auditWriter().link(commit, now.wall(), deeds);
        return link;
    }

    /** Null if nothing changed, so that there is nothing to wait for. */
    @Override
    public Commit commit() {
        if (commit == null) {
            boolean silent = draft.entries().isEmpty() && done.isEmpty();
            Commit spelt = tools.commitBuilder().commit(draft, silent ? null : page(draft.commit()));
            if (link(draft.commit()) != null) {
                spelt = spelt.with(link.key(), link.value());
            }
            commit = spelt.puts().isEmpty() && spelt.deletes().isEmpty() ? null : spelt;
        }
        return commit;
    }

    @Override
    public void committed(long nanos) {
        tools.completion().committed(this, nanos);
        publication = null;
    }

    @Override
    public void abandoned(RefusedException refusal) {
        tools.completion().abandoned(this, refusal);
    }

    @Override
    public void refused(RefusedException refusal) {
        tools.completion().refused(this, refusal);
    }

    @Override
    public void rejected(StoreException problem) {
        tools.completion().rejected(this, problem);
    }
}
