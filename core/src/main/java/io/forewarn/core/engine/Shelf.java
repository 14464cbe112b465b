package io.forewarn.core.engine;

import io.forewarn.core.StoredRecord;
import io.forewarn.core.engine.StoreException.Kind;
import io.forewarn.core.fleet.MachineId;
import io.forewarn.core.fleet.Tenant;
import io.forewarn.core.notification.DeliveryCursor;
import io.forewarn.core.notification.Subscription;
import io.forewarn.core.rollout.ActiveUnit;
import io.forewarn.core.rollout.RolloutUnitChunk;
import io.forewarn.core.rollout.Rollout;
import io.forewarn.core.rules.ManualClockRecord;
import io.forewarn.core.rules.MachineCondition;
import io.forewarn.core.rules.GroupState;
import io.forewarn.core.rules.LastPolls;
import io.forewarn.core.rules.StoredPolicy;
import io.forewarn.core.access.ApiToken;
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
record Shelf<T extends StoredRecord>(
        String prefix,
        Class<T> type,
        BiConsumer<View, T> comes,
        BiConsumer<View, T> goes,
        Function<View, Stream<T>> all) {
    /** In the order they are published: states last, because those wake who waits. */
    static final List<Shelf<?>> ALL = List.of(
            new Shelf<>(
                    Rollout.PREFIX,
                    Rollout.class,
                    View::publish,
                    (view, rollout) -> view.removeRollout(rollout.name()),
                    view -> view.rollouts().stream()),
            new Shelf<>(
                    RolloutUnitChunk.PREFIX,
                    RolloutUnitChunk.class,
                    View::publish,
                    (view, chunk) -> view.removePieces(chunk.key()),
                    view -> view.allPieces().stream()),
            new Shelf<>(
                    ActiveUnit.PREFIX,
                    ActiveUnit.class,
                    View::publish,
                    (view, unit) -> view.close(unit.tie()),
                    view -> view.allOpen().stream()),
            kept(MachineCondition.PREFIX, MachineCondition.class, View::publish),
            new Shelf<>(
                    Tenant.PREFIX,
                    Tenant.class,
                    View::publish,
                    (view, tenant) -> view.publish(Tenant.bare(tenant.name())),
                    view -> view.tenants().stream()),
            new Shelf<>(
                    ApiToken.PREFIX,
                    ApiToken.class,
                    View::publish,
                    (view, token) -> view.removeToken(token.name()),
                    view -> view.tokens().stream()),
            new Shelf<>(
                    StoredPolicy.PREFIX,
                    StoredPolicy.class,
                    (view, stored) -> view.publish(stored.policy()),
                    (view, stored) -> view.removePolicy(stored.policy().scope()),
                    view -> view.policies().stream().map(StoredPolicy::new)),
            new Shelf<>(
                    Subscription.PREFIX,
                    Subscription.class,
                    View::publish,
                    (view, subscription) -> view.removeRecipient(subscription.id()),
                    view -> view.recipients().stream()),
            kept(DeliveryCursor.PREFIX, DeliveryCursor.class, View::publish),
            kept(ManualClockRecord.KEY, ManualClockRecord.class, View::publish),
            kept(LastPolls.PREFIX, LastPolls.class, Shelf::recall),
            kept(GroupState.PREFIX, GroupState.class, View::publish));

    private static <T extends StoredRecord> Shelf<T> kept(String prefix, Class<T> type, BiConsumer<View, T> comes) {
        return new Shelf<>(prefix, type, comes, null, null);
    }

    /** Puts a record into the view, and returns it. */
    T publish(View view, Format format, String key, byte[] value) throws StoreException {
        T record = read(format, key, value, type);
        comes.accept(view, record);
        return record;
    }

    /** Whether records are taken away from it. */
    boolean empties() {
        return goes != null;
    }

    void remove(View view, StoredRecord record) {
        goes.accept(view, type.cast(record));
    }

    /** Takes away what is in the view and not among these keys. */
    void removeAllBut(Set<String> keys, View view) {
        if (empties()) {
            all.apply(view)
                    .filter(record -> !keys.contains(record.key()))
                    .toList()
                    .forEach(r -> goes.accept(view, r));
        }
    }

    static <T extends StoredRecord> T read(Format format, String key, byte[] value, Class<T> type) throws StoreException {
        StoredRecord record = format.read(key, value);
        if (!type.isInstance(record)) {
            throw new StoreException(
                    Kind.UNREADABLE, "the record " + key + " is not what its key says; restore it from a backup");
        }
        return type.cast(record);
    }

    private static void recall(View view, LastPolls polls) {
        polls.machines()
                .forEach((name, poll) -> view.heardOf(
                        new MachineId(polls.group().tenant(), name), poll.at().toEpochMilli(), poll.apiVersion()));
    }
}
