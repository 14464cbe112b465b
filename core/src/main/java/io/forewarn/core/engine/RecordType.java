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
import io.forewarn.core.rules.GroupState;
import io.forewarn.core.rules.LastPolls;
import io.forewarn.core.rules.MachineCondition;
import io.forewarn.core.rules.ManualClockRecord;
import io.forewarn.core.rules.StoredPolicy;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * A kind of record that the view is made of, next to the fleet: where it is kept, how it comes into the view, and how it leaves.
 * Whoever adds a kind adds a line here, and both the writer and those who follow it know it.
 *
 * @param goes null if such records are never taken away, or go with their machine
 * @param all those in a view; null if goes is
 */
record RecordType<T extends StoredRecord>(
        String prefix,
        Class<T> type,
        BiConsumer<PublishedState, T> comes,
        BiConsumer<PublishedState, T> goes,
        Function<PublishedState, Stream<T>> all) {
    /** In the order they are published: states last, because those wake who waits. */
    static final List<RecordType<?>> ALL = List.of(
            new RecordType<>(
                    Rollout.PREFIX,
                    Rollout.class,
                    PublishedState::publish,
                    (view, rollout) -> view.removeRollout(rollout.name()),
                    view -> view.rollouts().stream()),
            new RecordType<>(
                    RolloutUnitChunk.PREFIX,
                    RolloutUnitChunk.class,
                    PublishedState::publish,
                    (view, chunk) -> view.removePieces(chunk.key()),
                    view -> view.allPieces().stream()),
            new RecordType<>(
                    ActiveUnit.PREFIX,
                    ActiveUnit.class,
                    PublishedState::publish,
                    (view, unit) -> view.close(unit.tie()),
                    view -> view.allOpen().stream()),
            kept(MachineCondition.PREFIX, MachineCondition.class, PublishedState::publish),
            new RecordType<>(
                    Tenant.PREFIX,
                    Tenant.class,
                    PublishedState::publish,
                    (view, tenant) -> view.publish(Tenant.bare(tenant.name())),
                    view -> view.tenants().stream()),
            new RecordType<>(
                    ApiToken.PREFIX,
                    ApiToken.class,
                    PublishedState::publish,
                    (view, token) -> view.removeToken(token.name()),
                    view -> view.tokens().stream()),
            new RecordType<>(
                    StoredPolicy.PREFIX,
                    StoredPolicy.class,
                    (view, stored) -> view.publish(stored.policy()),
                    (view, stored) -> view.removePolicy(stored.policy().scope()),
                    view -> view.policies().stream().map(StoredPolicy::new)),
            new RecordType<>(
                    Subscription.PREFIX,
                    Subscription.class,
                    PublishedState::publish,
                    (view, subscription) -> view.removeRecipient(subscription.id()),
                    view -> view.recipients().stream()),
            kept(DeliveryCursor.PREFIX, DeliveryCursor.class, PublishedState::publish),
            kept(ManualClockRecord.KEY, ManualClockRecord.class, PublishedState::publish),
            kept(LastPolls.PREFIX, LastPolls.class, RecordType::recall),
            kept(GroupState.PREFIX, GroupState.class, PublishedState::publish));

    private static <T extends StoredRecord> RecordType<T> kept(
            String prefix, Class<T> type, BiConsumer<PublishedState, T> comes) {
        return new RecordType<>(prefix, type, comes, null, null);
    }

    /** Puts a record into the view, and returns it. */
    T publish(PublishedState view, RecordFormat format, String key, byte[] value) throws StoreException {
        T record = read(format, key, value, type);
        comes.accept(view, record);
        return record;
    }

    /** Whether records are taken away from it. */
    boolean empties() {
        return goes != null;
    }

    void remove(PublishedState view, StoredRecord record) {
        goes.accept(view, type.cast(record));
    }

    /** Takes away what is in the view and not among these keys. */
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
                .forEach((name, poll) -> view.heardOf(
                        new MachineId(polls.group().tenant(), name), poll.at().toEpochMilli(), poll.apiVersion()));
    }
}
