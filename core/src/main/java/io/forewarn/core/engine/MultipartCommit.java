package io.forewarn.core.engine;

import io.forewarn.core.Problem;
import io.forewarn.core.RefusedException;
import io.forewarn.core.fleet.FleetChange.GroupChange;
import io.forewarn.core.fleet.ValidationProblem;
import io.forewarn.core.history.LogPage;
import io.forewarn.core.rules.ChangeSet;
import io.forewarn.core.rules.Command;
import io.forewarn.core.rules.FleetRules;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.LongConsumer;

/**
 * A change too large for one commit that is still atomic.
 *
 * <p>Its records are first written slice by slice under {@code staged/{generation}/}, which is never read; meanwhile its
 * publication is prepared, also slice by slice. Then one commit writes {@code switch}: from there on the change has happened, is published and answered. Then the records are moved to
 * their own keys, slice by slice, and {@code switch} is deleted. After a crash before {@code switch} the staged records are
 * deleted; after it the move is repeated from the beginning, which is harmless.
 *
 * <p>During a fleet change other commands are decided between any two slices; only other fleet changes wait. It contains no states
 * of groups and machines, because these go on changing: commands change them before and after the switch. Any other change that is too large blocks all commands until it has been moved,
 * because they could change the same records.
 */
final class MultipartCommit {
    /** The staged change, with callbacks for its outcome. */
    interface Whole {
        ChangeSet draft();

        /** What happens to machines with its fleet change, and is noted after the switch. */
        List<Command.Arrive> arrivals();

        /** Its fleet change is ready to be published with the switch. */
        void prepared(FleetPublication publication);

        /** The log page that is committed with the switch. */
        LogPage page(long commit);

        /** The audit page that is committed with the switch; null if there is none. */
        AuditWriter.Link link(long commit);

        void committed(long nanos);

        void rejected(StoreException problem);

        void refused(RefusedException refusal);
    }

    /** What a start found: the next free sequence number, and the change whose move it finished; -1 if there was none. */
    record Finished(long next, long generation) {}

    private static final long NONE = -1;

    static final String STAGED = "staged/";
    static final String SWITCH = "switch";
    /** A slice of a fleet change is small, because others wait for it; any other change is over sooner in large ones. */
    private static final Store.Limits SMALL = new Store.Limits(1024, 1 << 20);

    /** More than the records of a slice hold, so that preparing ends before writing. */
    private static final int PREPARED_AT_ONCE = 8192;

    private static final int ASKED_AT_ONCE = 100;

    private static final String PUT = "/put/";
    private static final String DELETE = "/delete/";

    private final CommitBuilder commitBuilder;
    private final Store.Limits limits;
    private final Whole whole;
    private final boolean alone;
    private final PublishedState view;
    private final String prefix;
    private final FleetPublication publication;
    private final Iterator<GroupChange> preparing;
    private final Iterator<Command.Arrive> arrivals;
    private final Iterator<Map.Entry<String, byte[]>> puts;
    private final Iterator<Map.Entry<String, byte[]>> deletes;
    private final Deque<String> staged = new ArrayDeque<>();
    private Phase phase = Phase.WRITING;

    private enum Phase {
        WRITING,
        SWITCHING,
        MOVING,
        SWEEPING,
        OVER
    }

    MultipartCommit(CommitBuilder commitBuilder, Store.Limits limits, Whole whole, boolean alone, PublishedState view) {
        this.commitBuilder = commitBuilder;
        this.limits = alone
                ? limits
                : new Store.Limits(
                        Math.min(limits.operations(), SMALL.operations()), Math.min(limits.bytes(), SMALL.bytes()));
        this.whole = whole;
        this.alone = alone;
        this.view = view;
        this.prefix = STAGED + whole.draft().commit();
        this.publication = view.publication();
        this.preparing = whole.draft().fleet().iterator();
        this.arrivals = whole.arrivals().iterator();
        this.puts = commitBuilder
                .records(whole.draft())
                .map(record -> Map.entry(prefix + PUT + record.key(), commitBuilder.write(record)))
                .iterator();
        this.deletes = commitBuilder
                .deletes(whole.draft(), publication::isGone)
                .map(key -> Map.entry(prefix + DELETE + key, new byte[0]))
                .iterator();
    }

    /** Whether no other command may be decided now. */
    boolean isAlone() {
        return alone && phase != Phase.SWEEPING;
    }

    /** Cancels the change before its switch, with the reason; then its staged records are deleted. */
    void refuseIfHindered() {
        if (phase == Phase.SWITCHING && !alone) {
            // Commands were decided since the change was: a machine it removes may have an open event by now.
            List<ValidationProblem> hindrances =
                    FleetRules.hindrances(view, whole.draft().fleet());
            if (!hindrances.isEmpty()) {
                whole.refused(
                        new RefusedException(Problem.CONFLICT, hindrances.get(0).sentence()));
                phase = Phase.SWEEPING;
            }
        }
    }

    /**
     * What must be done before it goes on: machines that change their group read higher incarnations after the switch, and once the
     * switch is made, it is noted when they came to their hosts.
     */
    List<Command> first() {
        return switch (phase) {
            case SWITCHING ->
                FleetRules.overtaken(view, whole.draft().moves()).entrySet().stream()
                        .limit(ASKED_AT_ONCE)
                        .<Command>map(seen -> new Command.RaiseIncarnation(seen.getKey(), seen.getValue()))
                        .toList();
            case MOVING -> {
                List<Command> next = new ArrayList<>();
                while (arrivals.hasNext() && next.size() < ASKED_AT_ONCE) {
                    next.add(arrivals.next());
                }
                yield next;
            }
            case WRITING, SWEEPING, OVER -> List.of();
        };
    }

    /** Answers the caller, if it still waits. */
    void abandon(RefusedException refusal) {
        whole.refused(refusal);
    }

    boolean isOver() {
        return phase == Phase.OVER;
    }

    /** The next slice. */
    PendingCommit next(Store store, long seq, long epoch) throws StoreException {
        return switch (phase) {
            case WRITING -> write(seq, epoch);
            case SWITCHING -> switchOver(seq, epoch);
            case MOVING -> move(store, seq, epoch);
            case SWEEPING -> sweep(seq, epoch);
            case OVER -> throw new IllegalStateException("nothing is staged");
        };
    }

    private PendingCommit write(long seq, long epoch) {
        Map<String, byte[]> slice = new TreeMap<>();
        fill(slice, puts, 0);
        prepare();
        if (!puts.hasNext()) {
            fill(slice, deletes, bytes(slice));
        }
        return new Slice(
                Commit.of(seq, epoch, slice, List.of()),
                nanos -> {
                    staged.addAll(slice.keySet());
                    if (!puts.hasNext() && !deletes.hasNext()) {
                        whole.prepared(publication);
                        phase = Phase.SWITCHING;
                    }
                },
                Phase.SWEEPING);
    }

    private void fill(Map<String, byte[]> slice, Iterator<Map.Entry<String, byte[]>> operations, int filled) {
        int bytes = filled;
        while (operations.hasNext() && slice.size() < limits.operations() / 2 && bytes < limits.bytes() / 2) {
            Map.Entry<String, byte[]> operation = operations.next();
            slice.put(operation.getKey(), operation.getValue());
            bytes += operation.getValue().length;
        }
    }

    private static int bytes(Map<String, byte[]> slice) {
        return slice.values().stream().mapToInt(value -> value.length).sum();
    }

    /** Some of what is published with the switch; all of it once the last record is written, because deletes depend on it. */
    private void prepare() {
        int machines = 0;
        while (preparing.hasNext() && (machines < PREPARED_AT_ONCE || !puts.hasNext())) {
            GroupChange change = preparing.next();
            publication.prepare(change);
            machines += 1 + change.machines().size();
        }
    }

    private PendingCommit switchOver(long seq, long epoch) {
        LogPage page = whole.page(seq);
        Map<String, byte[]> puts = new TreeMap<>();
        puts.put(SWITCH, prefix.getBytes(StandardCharsets.UTF_8));
        puts.put(page.key(), commitBuilder.write(page));
        AuditWriter.Link link = whole.link(seq);
        if (link != null) {
            puts.put(link.key(), link.value());
        }
        return new Slice(
                Commit.of(seq, epoch, puts, List.of()),
                nanos -> {
                    phase = Phase.MOVING;
                    whole.committed(nanos);
                },
                Phase.SWEEPING);
    }

    private PendingCommit move(Store store, long seq, long epoch) throws StoreException {
        Commit commit = moving(store, prefix, limits, seq, epoch);
        boolean last = commit.deletes().contains(SWITCH);
        return new Slice(commit, nanos -> phase = last ? Phase.OVER : Phase.MOVING, Phase.MOVING);
    }

    /** One slice of the move; the last one deletes the switch. */
    static Commit moving(Store store, String prefix, Store.Limits limits, long seq, long epoch) throws StoreException {
        Map<String, byte[]> puts = new TreeMap<>();
        List<String> deletes = new ArrayList<>();
        int most = Math.max(1, limits.operations() / 4);
        int[] bytes = {0};
        boolean[] cut = {false};
        store.scan(prefix + "/", "", most, (key, value) -> {
            cut[0] |= bytes[0] + value.length > limits.bytes() / 2 && !deletes.isEmpty();
            if (cut[0]) {
                return;
            }
            bytes[0] += value.length;
            deletes.add(key);
            if (key.startsWith(prefix + PUT)) {
                puts.put(key.substring((prefix + PUT).length()), value);
            } else {
                deletes.add(key.substring((prefix + DELETE).length()));
            }
        });
        if (deletes.isEmpty()) {
            deletes.add(SWITCH);
        }
        return Commit.of(seq, epoch, puts, deletes);
    }

    private PendingCommit sweep(long seq, long epoch) {
        List<String> deletes = new ArrayList<>();
        staged.stream().limit(limits.operations() / 2).forEach(deletes::add);
        return new Slice(
                Commit.of(seq, epoch, Map.of(), deletes),
                nanos -> {
                    deletes.forEach(key -> staged.removeFirst());
                    phase = staged.isEmpty() ? Phase.OVER : Phase.SWEEPING;
                },
                Phase.SWEEPING);
    }

    private final class Slice implements PendingCommit {
        private final Commit commit;
        private final LongConsumer then;
        private final Phase otherwise;

        Slice(Commit commit, LongConsumer then, Phase otherwise) {
            this.commit = commit;
            this.then = then;
            this.otherwise = otherwise;
        }

        @Override
        public Commit commit() {
            return commit;
        }

        @Override
        public void committed(long nanos) {
            then.accept(nanos);
        }

        @Override
        public void abandoned(RefusedException refusal) {
            whole.refused(refusal);
        }

        @Override
        public void rejected(StoreException problem) {
            boolean calledOff = otherwise == Phase.SWEEPING && phase != Phase.SWEEPING;
            phase = otherwise;
            if (calledOff) {
                // An uncertain slice that is not there was never staged; deleting it is harmless.
                commit.puts().keySet().stream()
                        .filter(key -> key.startsWith(prefix))
                        .forEach(staged::add);
                whole.rejected(problem);
            }
        }
    }

    /** The key under which a staged record will be put; empty if it is none. */
    static Optional<String> putOf(String staged) {
        return rest(staged, PUT);
    }

    /** The key that a staged record will delete; empty if it is none. */
    static Optional<String> deleteOf(String staged) {
        return rest(staged, DELETE);
    }

    private static Optional<String> rest(String staged, String what) {
        int generation = staged.indexOf('/', STAGED.length());
        return staged.startsWith(STAGED) && generation > 0 && staged.startsWith(what, generation)
                ? Optional.of(staged.substring(generation + what.length()))
                : Optional.empty();
    }

    /** After a start: finishes a move after its switch, or deletes staged records without one. */
    static Finished finish(Store store, long seq, long epoch) throws StoreException {
        List<String> switched = new ArrayList<>();
        store.scan(SWITCH, "", 1, (key, value) -> switched.add(new String(value, StandardCharsets.UTF_8)));
        long next = seq;
        long generation =
                switched.isEmpty() ? NONE : Long.parseLong(switched.get(0).substring(STAGED.length()));
        while (!switched.isEmpty()) {
            Commit commit = moving(store, switched.get(0), store.limits(), next++, epoch);
            store.commit(commit);
            if (commit.deletes().contains(SWITCH)) {
                switched.clear();
            }
        }
        List<String> left = new ArrayList<>();
        do {
            left.clear();
            store.scan(STAGED, "", Math.max(1, store.limits().operations() / 2), (key, value) -> left.add(key));
            if (!left.isEmpty()) {
                store.commit(Commit.of(next++, epoch, Map.of(), List.copyOf(left)));
            }
        } while (!left.isEmpty());
        return new Finished(next, generation);
    }
}
