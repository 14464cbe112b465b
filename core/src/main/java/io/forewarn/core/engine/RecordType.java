package io.forewarn.core.engine;

import io.forewarn.core.StoredRecord;
import io.forewarn.core.access.ApiToken;
import io.forewarn.core.engine.StoreException.Kind;
import io.forewarn.core.fleet.Tenant;
import io.forewarn.core.notification.DeliveryCursor;
import io.forewarn.core.notification.Subscription;
import io.forewarn.core.rollout.ActiveUnit;
import io.forewarn.core.rollout.Rollout;
import io.forewarn.core.rollout.RolloutUnitChunk;
import io.forewarn.core.rules.ChangeSet;
import io.forewarn.core.rules.GroupState;
import io.forewarn.core.rules.LastPolls;
import io.forewarn.core.rules.MachineCondition;
import io.forewarn.core.rules.ManualClockRecord;
import io.forewarn.core.rules.StoredPolicy;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A type of record in the published state, apart from the fleet: where it is stored, how it is added to and removed from the
 * published state, and which records of this type a change set writes and deletes. To add a type, add an entry here, which
 * the writer, its commits, restarts and all followers use, and a line in {@code RecordCodec} for its JSON.
 *
 * @param published whether the writer publishes it on commit; if not, its own state already has it
 * @param goes null if such records are never removed, or are removed with their machine
 * @param all those in a published state; null if goes is
 */
record RecordType<T extends StoredRecord>(
        String prefix,
        Class<T> type,
        boolean published,
        BiConsumer<PublishedState, T> comes,
        BiConsumer<PublishedState, T> goes,
        Function<PublishedState, Stream<T>> all,
        Function<ChangeSet, Collection<T>> changed,
        Function<ChangeSet, Collection<Removal>> removed) {
    /**
     * A record that a change set deletes.
     *
     * @param from takes it out of the published state
     */
    record Removal(String key, Consumer<PublishedState> from) {}

    static final RecordType<GroupState> GROUP_STATES =
            kept(GroupState.PREFIX, GroupState.class, PublishedState::publish, ChangeSet::states);

    /** All but the states of groups, which are published last because they wake held requests. */
    static final List<RecordType<?>> BEFORE_STATES = List.of(
            kept(Rollout.PREFIX, Rollout.class, PublishedState::publish, ChangeSet::changedRollouts)
                    .removable(
                            (view, rollout) -> view.removeRollout(rollout.name()),
                            view -> view.rollouts().stream(),
                            draft -> each(
                                    draft.removedRollouts(),
                                    old -> new Removal(old.key(), view -> view.removeRollout(old.name())))),
            kept(RolloutUnitChunk.PREFIX, RolloutUnitChunk.class, PublishedState::publish, ChangeSet::changedUnits)
                    .removable(
                            (view, chunk) -> view.removeUnits(chunk.key()),
                            view -> view.allUnits().stream(),
                            draft -> each(
                                    chunks(draft.removedRollouts()),
                                    key -> new Removal(key, view -> view.removeUnits(key)))),
            kept(ActiveUnit.PREFIX, ActiveUnit.class, PublishedState::publish, ChangeSet::opened)
                    .removable(
                            (view, unit) -> view.close(unit.tie()),
                            view -> view.allOpen().stream(),
                            draft -> each(
                                    draft.closed(), id -> new Removal(ActiveUnit.key(id), view -> view.close(id)))),
            kept(
                    MachineCondition.PREFIX,
                    MachineCondition.class,
                    PublishedState::publish,
                    draft -> those(
                            draft.conditions(), c -> draft.machine(c.machine()).isPresent())),
            kept(
                            Tenant.PREFIX,
                            Tenant.class,
                            PublishedState::publish,
                            draft -> those(draft.changedTenants(), tenant -> !tenant.isBare()))
                    .removable(
                            (view, tenant) -> view.publish(Tenant.bare(tenant.name())),
                            view -> view.tenants().stream(),
                            draft -> each(
                                    those(draft.changedTenants(), Tenant::isBare),
                                    bare -> new Removal(bare.key(), view -> view.publish(bare)))),
            kept(ApiToken.PREFIX, ApiToken.class, PublishedState::publish, ChangeSet::tokens)
                    .removable(
                            (view, token) -> view.removeToken(token.name()),
                            view -> view.tokens().stream(),
                            draft -> each(
                                    draft.removedTokens(),
                                    name -> new Removal(ApiToken.PREFIX + name, view -> view.removeToken(name)))),
            kept(
                            StoredPolicy.PREFIX,
                            StoredPolicy.class,
                            (view, stored) -> view.publish(stored.policy()),
                            draft -> each(draft.setPolicies(), StoredPolicy::new))
                    .removable(
                            (view, stored) -> view.removePolicy(stored.policy().scope()),
                            view -> view.policies().stream().map(StoredPolicy::new),
                            draft -> each(
                                    draft.removedPolicies(),
                                    scope -> new Removal(
                                            StoredPolicy.PREFIX + scope, view -> view.removePolicy(scope)))),
            kept(Subscription.PREFIX, Subscription.class, PublishedState::publish, draft -> draft.post()
                            .put())
                    .removable(
                            (view, subscription) -> view.removeRecipient(subscription.id()),
                            view -> view.recipients().stream(),
                            draft -> each(
                                    draft.post().removed(),
                                    id -> new Removal(
                                            Subscription.PREFIX + id.path(), view -> view.removeRecipient(id)))),
            kept(DeliveryCursor.PREFIX, DeliveryCursor.class, PublishedState::publish, draft -> draft.post()
                            .cursors())
                    // In the published state it goes with its subscription.
                    .deletedBy(draft -> each(
                            draft.post().removed(), id -> new Removal(DeliveryCursor.PREFIX + id.path(), view -> {}))),
            kept(ManualClockRecord.KEY, ManualClockRecord.class, PublishedState::publish, draft -> draft.clock()
                            .map(List::of)
                            .orElse(List.of()))
                    .unpublished(),
            kept(LastPolls.PREFIX, LastPolls.class, PublishedState::publish, ChangeSet::polls));

    /** In the order they are published. */
    static final List<RecordType<?>> ALL =
            Stream.concat(BEFORE_STATES.stream(), Stream.of(GROUP_STATES)).toList();

    private static <T extends StoredRecord> RecordType<T> kept(
            String prefix,
            Class<T> type,
            BiConsumer<PublishedState, T> comes,
            Function<ChangeSet, Collection<T>> changed) {
        return new RecordType<>(prefix, type, true, comes, null, null, changed, draft -> List.of());
    }

    private RecordType<T> removable(
            BiConsumer<PublishedState, T> leaves,
            Function<PublishedState, Stream<T>> there,
            Function<ChangeSet, Collection<Removal>> deletes) {
        return new RecordType<>(prefix, type, published, comes, leaves, there, changed, deletes);
    }

    private RecordType<T> deletedBy(Function<ChangeSet, Collection<Removal>> deletes) {
        return new RecordType<>(prefix, type, published, comes, goes, all, changed, deletes);
    }

    private RecordType<T> unpublished() {
        return new RecordType<>(prefix, type, false, comes, goes, all, changed, removed);
    }

    private static List<String> chunks(Collection<Rollout> rollouts) {
        return rollouts.isEmpty()
                ? List.of()
                : rollouts.stream()
                        .flatMap(rollout -> IntStream.range(0, RolloutUnitChunk.chunks(rollout.units()))
                                .mapToObj(chunk -> RolloutUnitChunk.key(rollout.name(), chunk)))
                        .toList();
    }

    // Each command is asked for the changes of every type, and has few: without streams, those it does not have cost
    // nothing.

    private static <A, B> List<B> each(Collection<A> some, Function<? super A, B> mapping) {
        if (some.isEmpty()) {
            return List.of();
        }
        List<B> mapped = new ArrayList<>(some.size());
        some.forEach(one -> mapped.add(mapping.apply(one)));
        return mapped;
    }

    private static <A> List<A> those(Collection<A> some, Predicate<? super A> wanted) {
        if (some.isEmpty()) {
            return List.of();
        }
        List<A> found = new ArrayList<>(some.size());
        for (A one : some) {
            if (wanted.test(one)) {
                found.add(one);
            }
        }
        return found;
    }

    /** Publishes what a change set removes and changes of this type, in this order: a name may be used again. */
    void publish(PublishedState view, ChangeSet draft) {
        removed.apply(draft).forEach(removal -> removal.from().accept(view));
        if (published) {
            changed.apply(draft).forEach(record -> comes.accept(view, record));
        }
    }

    /** Puts a record into the view, and returns it. */
    T publish(PublishedState view, RecordFormat format, String key, byte[] value) throws StoreException {
        T record = read(format, key, value, type);
        comes.accept(view, record);
        return record;
    }

    /** Whether records of this type can be deleted. */
    boolean empties() {
        return goes != null;
    }

    void remove(PublishedState view, StoredRecord record) {
        goes.accept(view, type.cast(record));
    }

    /** Removes from the published state what is not among these keys. */
    void removeAllBut(Set<String> keys, PublishedState view) {
        if (empties()) {
            all.apply(view)
                    .filter(record -> !keys.contains(record.key()))
                    .toList()
                    .forEach(r -> goes.accept(view, r));
        }
    }

    static <T extends StoredRecord> T read(RecordFormat format, String key, byte[] value, Class<T> type)
            throws StoreException {
        StoredRecord record = format.read(key, value);
        if (!type.isInstance(record)) {
            throw new StoreException(
                    Kind.UNREADABLE, "the record " + key + " is not what its key says; restore it from a backup");
        }
        return type.cast(record);
    }
}
