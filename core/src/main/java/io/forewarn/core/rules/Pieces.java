package io.forewarn.core.rules;

import io.forewarn.core.Actor;
import io.forewarn.core.event.Event;
import io.forewarn.core.event.Phase;
import io.forewarn.core.event.Step;
import io.forewarn.core.event.Tie;
import io.forewarn.core.fleet.GroupId;
import io.forewarn.core.rollout.OpenPiece;
import io.forewarn.core.rollout.OpenPiece.Part;
import io.forewarn.core.rollout.Piece;
import io.forewarn.core.rollout.PieceChunk;
import io.forewarn.core.rollout.Rollout;
import java.util.List;
import java.util.Optional;

/** What the events of one piece of a rollout do together. */
final class Pieces {
    private final Turn turn;

    Pieces(Turn turn) {
        this.turn = turn;
    }

    /** All parts of an event's piece; itself alone if it is of none. */
    List<Part> parts(GroupId group, Event event) {
        return piece(event).map(OpenPiece::parts).orElseGet(() -> List.of(new Part(group, event.id())));
    }

    /** Whether the driver knows the work by this event. */
    boolean leads(Event event) {
        return piece(event).map(p -> p.lead().equals(event.id())).orElse(true);
    }

    private Optional<OpenPiece> piece(Event event) {
        return Optional.ofNullable(event.work().tie()).flatMap(turn.draft()::open);
    }

    Event event(Part part) {
        return turn.draft().state(part.group()).event(part.event()).orElseThrow();
    }

    /**
     * One event of a scheduled piece goes away, so the others do too. Does nothing for an event of no piece.
     *
     * @return the parts of the piece, whose groups the caller must let settle
     */
    List<Part> callOff(Event event, Piece.State then, Actor actor) {
        Optional<OpenPiece> open = piece(event);
        open.ifPresent(piece -> {
            for (Part part : piece.parts()) {
                if (!part.event().equals(event.id())) {
                    gone(part.group(), event(part), actor, "the host's work was called off");
                }
            }
            close(piece, then);
        });
        return open.map(OpenPiece::parts).orElse(List.of());
    }

    /** What waited for these machines may go on. */
    void settle(List<Part> parts, Actor actor) {
        parts.forEach(part -> new Starting(turn).settle(part.group(), actor));
    }

    private void gone(GroupId group, Event event, Actor actor, String detail) {
        Step step = event.shared() ? Step.CANCELLED : Step.CALLED_OFF_UNSEEN;
        turn.life().walk(group, step, event, null, actor, detail);
    }

    /** Calls a whole piece off. */
    void callOff(OpenPiece piece, Piece.State then, Actor actor, String detail) {
        piece.parts().forEach(part -> gone(part.group(), event(part), actor, detail));
        close(piece, then);
        settle(piece.parts(), actor);
    }

    /** Notes how a piece ended and ends the rollout with its last. */
    void close(OpenPiece piece, Piece.State state) {
        Draft draft = turn.draft();
        Tie tie = piece.tie();
        draft.close(tie);
        draft.put(chunk(tie).with(tie.piece(), state));
        Rollout rollout = draft.rollout(tie.rollout()).orElseThrow();
        draft.put(rollout.counted(
                -1,
                state == Piece.State.DONE || state == Piece.State.SKIPPED ? 1 : 0,
                state == Piece.State.FAILED ? 1 : 0));
    }

    PieceChunk chunk(Tie tie) {
        return turn.draft().pieces(tie.rollout(), tie.piece() / PieceChunk.SIZE);
    }

    boolean hasStarted(OpenPiece piece) {
        return event(piece.parts().get(0)).phase() == Phase.STARTED;
    }
}
