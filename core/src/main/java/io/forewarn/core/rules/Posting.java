package io.forewarn.core.rules;

import io.forewarn.core.Actor;
import io.forewarn.core.Problem;
import io.forewarn.core.RefusedException;
import io.forewarn.core.fleet.Quota;
import io.forewarn.core.notice.Channel;
import io.forewarn.core.notice.Cursor;
import io.forewarn.core.notice.Letter;
import io.forewarn.core.notice.Place;
import io.forewarn.core.notice.Recipient;
import io.forewarn.core.notice.RecipientId;
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
        RecipientId id = add.recipient().id();
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
        Recipient recipient = add.recipient().madeBy(draft.commit());
        draft.post().put(recipient);
        draft.post().put(new Cursor(id, Place.after(draft.commit()), 0, 0));
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
        List<Letter> left = resend.letters().stream()
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
        for (Cursor cursor : posted.cursors()) {
            if (isOf(cursor.recipient(), cursor.place())) {
                post.put(cursor);
            }
        }
        for (Letter letter : posted.letters()) {
            if (isOf(letter.recipient(), letter.place())) {
                post.put(letter);
            }
        }
        posted.settled().forEach(letter -> post.settle(letter.recipient(), letter.place()));
        return Answer.NOTHING;
    }

    private boolean isOf(RecipientId id, Place place) {
        return turn.draft()
                .recipient(id)
                .filter(r -> place.commit() >= r.since())
                .isPresent();
    }

    private void must(RecipientId id) {
        if (turn.draft().recipient(id).isEmpty()) {
            throw Unknown.recipient(turn.draft(), id);
        }
    }

    private void note(Entry.What what, Actor actor, RecipientId id, String detail) {
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

    static String kind(RecipientId id) {
        return id.channel().name().toLowerCase(Locale.ROOT);
    }
}
