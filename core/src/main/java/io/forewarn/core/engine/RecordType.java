package io.forewarn.core.engine;

import io.forewarn.core.StoredRecord;
import io.forewarn.core.access.ApiToken;
import io.forewarn.core.engine.StoreException.Kind;
import io.forewarn.core.fleet.MachineId;
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
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
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
        Function<ChangeSet, Stream<T>> changed,
        Function<ChangeSet, Stream<Removal>> removed) {
    /**
     * A record that a change set deletes.
     *
     * @param from takes it out of the published state
     */
    record Removal(String key, Consumer<PublishedState> from) {}

    static final RecordType<GroupState> GROUP_STATES =
            kept(GroupState.PREFIX, GroupState.class, PublishedState::publish, draft -> draft.states().stream());

    /** All but the states of groups, which are published last because they wake held requests. */
    static final List<RecordType<?>> BEFORE_STATES = List.of(
            kept(Rollout.PREFIX, Rollout.class, PublishedState::publish, draft -> draft.changedRollouts().stream())
                    .removable(
                            (view, rollout) -> view.removeRollout(rollout.name()),
                            view -> view.rollouts().stream(),
                            draft -> draft.removedRollouts().stream()
                                    .map(old -> new Removal(old.key(), view -> view.removeRollout(old.name())))),
            kept(
                            RolloutUnitChunk.PREFIX,
                            RolloutUnitChunk.class,
                            PublishedState::publish,
                            draft -> draft.changedUnits().stream())
                    .removable(
                            (view, chunk) -> view.removeUnits(chunk.key()),
                            view -> view.allUnits().stream(),
                            draft -> draft.removedRollouts().stream()
                                    .flatMap(RecordType::chunks)
                                    .map(key -> new Removal(key, view -> view.removeUnits(key)))),
            kept(ActiveUnit.PREFIX, ActiveUnit.class, PublishedState::publish, draft -> draft.opened().stream())
                    .removable(
                            (view, unit) -> view.close(unit.tie()),
                            view -> view.allOpen().stream(),
                            draft -> draft.closed().stream()
                                    .map(id -> new Removal(ActiveUnit.key(id), view -> view.close(id)))),
            kept(
                    MachineCondition.PREFIX,
                    MachineCondition.class,
                    PublishedState::publish,
                    draft -> draft.conditions().stream()
                            .filter(c -> draft.machine(c.machine()).isPresent())),
            kept(Tenant.PREFIX, Tenant.class, PublishedState::publish, draft -> draft.changedTenants().stream()
                            .filter(tenant -> !tenant.isBare()))
                    .removable(
                            (view, tenant) -> view.publish(Tenant.bare(tenant.name())),
                            view -> view.tenants().stream(),
                            draft -> draft.changedTenants().stream()
                                    .filter(Tenant::isBare)
                                    .map(bare -> new Removal(bare.key(), view -> view.publish(bare)))),
            kept(ApiToken.PREFIX, ApiToken.class, PublishedState::publish, draft -> draft.tokens().stream())
                    .removable(
                            (view, token) -> view.removeToken(token.name()),
                            view -> view.tokens().stream(),
                            draft -> draft.removedTokens().stream()
                                    .map(name -> new Removal(ApiToken.PREFIX + name, view -> view.removeToken(name)))),
            kept(
                            StoredPolicy.PREFIX,
                            StoredPolicy.class,
                            (view, stored) -> view.publish(stored.policy()),
                            draft -> draft.setPolicies().stream().map(StoredPolicy::new))
                    .removable(
                            (view, stored) -> view.removePolicy(stored.policy().scope()),
                            view -> view.policies().stream().map(StoredPolicy::new),
                            draft -> draft.removedPolicies().stream()
                                    .map(scope -> new Removal(
                                            StoredPolicy.PREFIX + scope, view -> view.removePolicy(scope)))),
            kept(Subscription.PREFIX, Subscription.class, PublishedState::publish, draft -> draft.post().put().stream())
                    .removable(
                            (view, subscription) -> view.removeRecipient(subscription.id()),
                            view -> view.recipients().stream(),
                            draft -> draft.post().removed().stream()
                                    .map(id -> new Removal(
                                            Subscription.PREFIX + id.path(), view -> view.removeRecipient(id)))),
            kept(
                            DeliveryCursor.PREFIX,
                            DeliveryCursor.class,
                            PublishedState::publish,
                            draft -> draft.post().cursors().stream())
                    // In the published state it goes with its subscription.
                    .deletedBy(draft -> draft.post().removed().stream()
                            .map(id -> new Removal(DeliveryCursor.PREFIX + id.path(), view -> {}))),
            kept(
                            ManualClockRecord.KEY,
                            ManualClockRecord.class,
                            PublishedState::publish,
                            draft -> draft.clock().stream())
                    .unpublished(),
            kept(LastPolls.PREFIX, LastPolls.class, RecordType::recall, draft -> draft.polls().stream())
                    .unpublished());

    /** In the order they are published. */
    static final List<RecordType<?>> ALL =
            Stream.concat(BEFORE_STATES.stream(), Stream.of(GROUP_STATES)).toList();

    private static <T extends StoredRecord> RecordType<T> kept(
            String prefix, Class<T> type, BiConsumer<PublishedState, T> comes, Function<ChangeSet, Stream<T>> changed) {
        return new RecordType<>(prefix, type, true, comes, null, null, changed, draft -> Stream.empty());
    }

    private RecordType<T> removable(
            BiConsumer<PublishedState, T> leaves,
            Function<PublishedState, Stream<T>> there,
            Function<ChangeSet, Stream<Removal>> deletes) {
        return new RecordType<>(prefix, type, published, comes, leaves, there, changed, deletes);
    }

    private RecordType<T> deletedBy(Function<ChangeSet, Stream<Removal>> deletes) {
        return new RecordType<>(prefix, type, published, comes, goes, all, changed, deletes);
    }

    private RecordType<T> unpublished() {
        return new RecordType<>(prefix, type, false, comes, goes, all, changed, removed);
    }

    private static Stream<String> chunks(Rollout rollout) {
        return IntStream.range(0, RolloutUnitChunk.chunks(rollout.units()))
                .mapToObj(chunk -> RolloutUnitChunk.key(rollout.name(), chunk));
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

    private static void recall(PublishedState view, LastPolls polls) {
        polls.machines()
                .forEach((name, poll) -> view.polledElsewhere(
                        new MachineId(polls.group().tenant(), name), poll.at().toEpochMilli(), poll.apiVersion()));
    }
}
