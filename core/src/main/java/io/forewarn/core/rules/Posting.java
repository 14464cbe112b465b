package io.forewarn.core.rules;

import io.forewarn.core.Actor;
import io.forewarn.core.Problem;
import io.forewarn.core.RefusedException;
import io.forewarn.core.fleet.Quota;
import io.forewarn.core.notification.Channel;
import io.forewarn.core.notification.DeliveryCursor;
import io.forewarn.core.notification.DeadLetter;
import io.forewarn.core.notification.LogPosition;
import io.forewarn.core.notification.Subscription;
import io.forewarn.core.notification.SubscriptionId;
import io.forewarn.core.rules.Command.AddRecipient;
import io.forewarn.core.rules.Command.Posted;
import io.forewarn.core.rules.Command.RemoveRecipient;
import io.forewarn.core.rules.Command.Resend;
import java.util.List;
import java.util.Locale;

/** Decides about recipients, and writes down how far they were told. */
final class Posting {
    /** All tenants together. */
    static final int MOST = 10_000;

    private final Turn turn;

    Posting(Turn turn) {
        this.turn = turn;
    }

    Answer add(AddRecipient add) {
        Draft draft = turn.draft();
        SubscriptionId id = add.recipient().id();
        if (draft.recipient(id).isPresent()) {
            throw new RefusedException(
                    Problem.CONFLICT,
                    "there is already a " + kind(id) + " named " + id + "; remove it first or choose another name");
        }
        if (draft.recipients().size() >= MOST) {
            throw new RefusedException(
                    Problem.TOO_MANY,
                    "there are already " + MOST + " webhooks and mails; remove some that nobody needs");
        }
        if (add.actor().limited()) {
            Quota quota = id.channel() == Channel.MAIL ? Quota.MAILS : Quota.WEBHOOKS;
            turn.terms().owners().mustHaveRoom(draft, id.tenant(), quota, 1);
        }
        // It is told of what comes after the commit that makes it.
        Subscription subscription = add.recipient().madeBy(draft.commit());
        draft.post().put(subscription);
        draft.post().put(new DeliveryCursor(id, LogPosition.after(draft.commit()), 0, 0));
        note(Entry.What.RECIPIENT_ADDED, add.actor(), id, id.described());
        return Answer.NOTHING;
    }

    Answer remove(RemoveRecipient remove) {
        must(remove.id());
        turn.draft().post().remove(remove.id());
        note(
                Entry.What.RECIPIENT_REMOVED,
                remove.actor(),
                remove.id(),
                remove.id().described());
        return Answer.NOTHING;
    }

    Answer test(Command.TryRecipient trial) {
        must(trial.id());
        return Answer.NOTHING;
    }

    Answer resend(Resend resend) {
        must(resend.id());
        // Whoever asks has read them a moment ago: one that arrived since must not come to life again.
        List<DeadLetter> left = resend.letters().stream()
                .filter(l -> l.recipient().equals(resend.id()) && isOf(l.recipient(), l.place()))
                .filter(l -> !turn.draft().settled(l.key()))
                .toList();
        left.forEach(letter -> turn.draft().post().put(letter.resent()));
        if (!left.isEmpty()) {
            note(
                    Entry.What.LETTERS_RESENT,
                    resend.actor(),
                    resend.id(),
                    left.size() + " to " + resend.id().described());
        }
        return new Answer(List.of(), resend.earlier() + left.size());
    }

    /** What is said of a recipient that is gone, or of one that was there before under the same name, is dropped. */
    Answer posted(Posted posted) {
        Post post = turn.draft().post();
        for (DeliveryCursor cursor : posted.cursors()) {
            if (isOf(cursor.recipient(), cursor.place())) {
                post.put(cursor);
            }
        }
        for (DeadLetter letter : posted.letters()) {
            if (isOf(letter.recipient(), letter.place())) {
                post.put(letter);
            }
        }
        posted.settled().forEach(letter -> post.settle(letter.recipient(), letter.place()));
        return Answer.NOTHING;
    }

    private boolean isOf(SubscriptionId id, LogPosition position) {
        return turn.draft()
                .recipient(id)
                .filter(r -> position.commit() >= r.since())
                .isPresent();
    }

    private void must(SubscriptionId id) {
        if (turn.draft().recipient(id).isEmpty()) {
            throw Unknown.recipient(turn.draft(), id);
        }
    }

    private void note(Entry.What what, Actor actor, SubscriptionId id, String detail) {
        turn.draft()
                .note(new Entry(
                        turn.now(),
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
                        id));
    }

    static String kind(SubscriptionId id) {
        return id.channel().name().toLowerCase(Locale.ROOT);
    }
}
