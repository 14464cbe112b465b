package io.forewarn.core.rules;

import io.forewarn.core.Actor;
import io.forewarn.core.Problem;
import io.forewarn.core.RefusedException;
import io.forewarn.core.fleet.Quota;
import io.forewarn.core.history.HistoryEntry;
import io.forewarn.core.notification.Channel;
import io.forewarn.core.notification.DeadLetter;
import io.forewarn.core.notification.DeliveryCursor;
import io.forewarn.core.notification.LogPosition;
import io.forewarn.core.notification.Subscription;
import io.forewarn.core.notification.SubscriptionId;
import io.forewarn.core.rules.Command.AddRecipient;
import io.forewarn.core.rules.Command.Posted;
import io.forewarn.core.rules.Command.RemoveRecipient;
import io.forewarn.core.rules.Command.Resend;
import java.util.List;
import java.util.Locale;

/** Rules for subscriptions, and for recording how far each has been delivered. */
final class SubscriptionRules {
    /** All tenants together. */
    static final int MOST = 10_000;

    private final DecisionContext context;

    SubscriptionRules(DecisionContext context) {
        this.context = context;
    }

    CommandResult add(AddRecipient add) {
        ChangeSet changes = context.changes();
        SubscriptionId id = add.recipient().id();
        if (changes.recipient(id).isPresent()) {
            throw new RefusedException(
                    Problem.CONFLICT,
                    "there is already a " + kind(id) + " named " + id + "; remove it first or choose another name");
        }
        if (changes.recipients().size() >= MOST) {
            throw new RefusedException(
                    Problem.LIMIT_EXCEEDED,
                    "there are already " + MOST + " webhooks and mail subscriptions; remove some that are not needed");
        }
        if (add.actor().limited()) {
            Quota quota = id.channel() == Channel.MAIL ? Quota.MAIL_SUBSCRIPTIONS : Quota.WEBHOOKS;
            context.terms().owners().mustHaveRoom(changes, id.tenant(), quota, 1);
        }
        // It gets what comes after the commit that creates it.
        Subscription subscription = add.recipient().madeBy(changes.commit());
        changes.post().put(subscription);
        changes.post().put(new DeliveryCursor(id, LogPosition.after(changes.commit()), 0, 0));
        note(HistoryEntry.What.SUBSCRIPTION_ADDED, add.actor(), id, id.described());
        return CommandResult.NOTHING;
    }

    CommandResult remove(RemoveRecipient remove) {
        must(remove.id());
        context.changes().post().remove(remove.id());
        note(
                HistoryEntry.What.SUBSCRIPTION_REMOVED,
                remove.actor(),
                remove.id(),
                remove.id().described());
        return CommandResult.NOTHING;
    }

    CommandResult test(Command.TryRecipient trial) {
        must(trial.id());
        return CommandResult.NOTHING;
    }

    CommandResult resend(Resend resend) {
        must(resend.id());
        // The caller read them a moment ago; one that was delivered since must not be resent.
        List<DeadLetter> left = resend.letters().stream()
                .filter(l -> l.recipient().equals(resend.id()) && isOf(l.recipient(), l.position()))
                .filter(l -> !context.changes().settled(l.key()))
                .toList();
        left.forEach(letter -> context.changes().post().put(letter.resent()));
        if (!left.isEmpty()) {
            note(
                    HistoryEntry.What.DELIVERIES_RESENT,
                    resend.actor(),
                    resend.id(),
                    left.size() + " to " + resend.id().described());
        }
        return new CommandResult(List.of(), resend.earlier() + left.size());
    }

    /** Cursors and dead letters of a subscription that is gone, or of an earlier one of that name, are dropped. */
    CommandResult posted(Posted posted) {
        SubscriptionChanges subscriptions = context.changes().post();
        for (DeliveryCursor cursor : posted.cursors()) {
            if (isOf(cursor.recipient(), cursor.position())) {
                subscriptions.put(cursor);
            }
        }
        for (DeadLetter letter : posted.letters()) {
            if (isOf(letter.recipient(), letter.position())) {
                subscriptions.put(letter);
            }
        }
        posted.settled().forEach(letter -> subscriptions.settle(letter.recipient(), letter.position()));
        return CommandResult.NOTHING;
    }

    private boolean isOf(SubscriptionId id, LogPosition position) {
        return context.changes()
                .recipient(id)
                .filter(r -> position.commit() >= r.since())
                .isPresent();
    }

    private void must(SubscriptionId id) {
        if (context.changes().recipient(id).isEmpty()) {
            throw NotFound.recipient(context.changes(), id);
        }
    }

    private void note(HistoryEntry.What what, Actor actor, SubscriptionId id, String detail) {
        context.changes()
                .note(new HistoryEntry(
                        context.now(),
                        what.name(),
                        null,
                        null,
                        null,
                        List.of(),
                        actor,
                        null,
                        null,
                        null,
                        detail,
                        null,
                        id,
                        ""));
    }

    static String kind(SubscriptionId id) {
        return id.channel().name().toLowerCase(Locale.ROOT);
    }
}
