package io.forewarn.core.rules;

import io.forewarn.core.Actor;
import io.forewarn.core.Names;
import io.forewarn.core.Problem;
import io.forewarn.core.Refusal;
import io.forewarn.core.event.Cause;
import io.forewarn.core.event.Event;
import io.forewarn.core.event.EventId;
import io.forewarn.core.event.Tie;
import io.forewarn.core.event.Work;
import io.forewarn.core.fleet.Machine;
import io.forewarn.core.fleet.MachineId;
import io.forewarn.core.policy.Windows;
import io.forewarn.core.rollout.AtOnce;
import io.forewarn.core.rollout.OpenPiece;
import io.forewarn.core.rollout.Piece;
import io.forewarn.core.rollout.PieceChunk;
import io.forewarn.core.rollout.Prepared;
import io.forewarn.core.rollout.Rollout;
import io.forewarn.core.rollout.Rollout.Status;
import io.forewarn.core.rollout.RolloutSpec;
import io.forewarn.core.rollout.Share;
import io.forewarn.core.rules.Command.AbortRollout;
import io.forewarn.core.rules.Command.PauseRollout;
import io.forewarn.core.rules.Command.ResumeRollout;
import io.forewarn.core.rules.Command.Roll;
import io.forewarn.core.rules.Command.StartRollout;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Moves rollouts: opens pieces whose groups are all free, and notes what became of them. A piece takes the slots of all its
 * groups at once or none, so no two pieces can wait for each other.
 */
final class Rolling {
    /** So that other commands pass in between. */
    static final int OPENED_PER_COMMAND = 20;

    /** How soon a piece without a common window is looked at again: a policy may have changed. */
    private static final Duration NO_WINDOW = Duration.ofHours(1);

    private final Turn turn;
    private final Draft draft;
    private final Supplier<EventId> ids;

    Rolling(Turn turn, Supplier<EventId> ids) {
        this.turn = turn;
        this.draft = turn.draft();
        this.ids = ids;
    }

    Answer start(StartRollout start) {
        RolloutSpec spec = start.spec();
        check(spec);
        Prepared prepared = start.prepared().version() == draft.fleetVersion()
                ? start.prepared()
                : Shares.prepare(draft, turn.terms(), spec, turn.now());
        checkOverlap(spec, prepared);
        PieceChunk.of(spec.name(), prepared.pieces()).forEach(draft::put);
        int pieces = prepared.pieces().size();
        draft.put(new Rollout(spec, Status.RUNNING, turn.now(), null, pieces, 0, 0, 0, ""));
        note(Entry.What.ROLLOUT_STARTED, spec.name(), start.actor(), pieces + " pieces");
        return new Answer(List.of(), pieces);
    }

    void check(RolloutSpec spec) {
        if (!Names.valid(spec.name())) {
            throw new Refusal(Problem.BAD_INPUT, "'" + spec.name() + "' is no name for a rollout: " + Names.RULE);
        }
        if (draft.rollout(spec.name()).isPresent()) {
            throw new Refusal(Problem.CONFLICT, "there is already a rollout " + spec.name() + "; choose another name");
        }
        if (!spec.cause().rolledOut()) {
            throw new Refusal(
                    Problem.BAD_INPUT,
                    "a rollout freezes, reboots or redeploys; " + spec.cause() + " cannot be rolled out");
        }
        Duration least = turn.terms().minimumNotice(spec.cause().type());
        if (spec.notice() != null && spec.notice().compareTo(least) < 0) {
            throw new Refusal(Problem.BAD_INPUT, "notice of " + spec.notice() + " is too short: at least " + least);
        }
        if (spec.recovery() != null && spec.recovery().isNegative()) {
            throw new Refusal(Problem.BAD_INPUT, "recovery cannot be negative");
        }
        boolean percent = spec.atOnce().kind() == AtOnce.Kind.PERCENT;
        if (spec.atOnce().kind() != AtOnce.Kind.FAULT_DOMAIN
                && (spec.atOnce().number() < 1 || percent && spec.atOnce().number() > 100)) {
            throw new Refusal(Problem.BAD_INPUT, "at once must be at least 1, or from 1% to 100%");
        }
        if (spec.selfServiceUntil() != null && !spec.selfServiceUntil().isAfter(turn.now())) {
            throw new Refusal(
                    Problem.BAD_INPUT,
                    "the self-service phase must end in the future, not at " + spec.selfServiceUntil());
        }
    }

    private void checkOverlap(RolloutSpec spec, Prepared prepared) {
        overlap(spec, prepared).ifPresent(what -> {
            throw new Refusal(Problem.CONFLICT, what + "; wait for it, or abort it");
        });
    }

    /** Another rollout that is not over and works on the same. */
    Optional<String> overlap(RolloutSpec spec, Prepared prepared) {
        for (Rollout other : draft.rollouts()) {
            if (other.isOver()) {
                continue;
            }
            Set<String> theirs = new HashSet<>();
            for (int chunk = 0; chunk < PieceChunk.chunks(other.pieces()); chunk++) {
                draft.pieces(other.name(), chunk).pieces().forEach(p -> theirs.add(p.name()));
            }
            for (String piece : prepared.pieces()) {
                Optional<String> what = overlap(spec, piece, other, theirs);
                if (what.isPresent()) {
                    return Optional.of("rollout " + other.name() + " is not over and works on " + what.get() + " too");
                }
            }
        }
        return Optional.empty();
    }

    private Optional<String> overlap(RolloutSpec spec, String piece, Rollout other, Set<String> theirs) {
        if (theirs.contains(piece)) {
            return Optional.of(piece);
        }
        if (other.spec().target().kind() == spec.target().kind()) {
            return Optional.empty();
        }
        for (Share share : new Shares(draft, spec).of(piece, null)) {
            String domain = share.group() + "#" + share.updateDomain();
            if (theirs.contains(domain)) {
                return Optional.of(domain);
            }
            for (Machine machine : share.machines()) {
                if (theirs.contains(machine.host())) {
                    return Optional.of(machine.host());
                }
            }
        }
        return Optional.empty();
    }

    Answer pause(PauseRollout pause) {
        Rollout rollout = known(pause.rollout());
        if (rollout.status() != Status.RUNNING) {
            throw not(rollout, "paused");
        }
        draft.put(rollout.with(Status.PAUSED, ""));
        note(Entry.What.ROLLOUT_PAUSED, rollout.name(), pause.actor(), "");
        return Answer.NOTHING;
    }

    Answer resume(ResumeRollout resume) {
        Rollout rollout = known(resume.rollout());
        if (rollout.status() != Status.PAUSED && rollout.status() != Status.HALTED) {
            throw not(rollout, "resumed");
        }
        draft.put(rollout.with(Status.RUNNING, ""));
        int retried = resume.retry() ? retry(rollout) : 0;
        note(Entry.What.ROLLOUT_RESUMED, rollout.name(), resume.actor(), retried == 0 ? "" : retried + " tried again");
        endIfOver(rollout.name());
        return Answer.NOTHING;
    }

    private int retry(Rollout rollout) {
        int retried = 0;
        for (int chunk = 0; chunk < PieceChunk.chunks(rollout.pieces()); chunk++) {
            PieceChunk pieces = draft.pieces(rollout.name(), chunk);
            for (int i = 0; i < pieces.pieces().size(); i++) {
                if (pieces.piece(i).state() == Piece.State.FAILED) {
                    pieces = pieces.with(i, Piece.State.PENDING);
                    retried++;
                }
            }
            if (pieces != draft.pieces(rollout.name(), chunk)) {
                draft.put(pieces);
            }
        }
        if (retried == 0) {
            throw new Refusal(Problem.CONFLICT, "nothing of rollout " + rollout.name() + " failed; resume it plainly");
        }
        draft.put(draft.rollout(rollout.name()).orElseThrow().counted(0, 0, -retried));
        return retried;
    }

    /** What has started is finished; what is only announced is called off, as much as one command can, the rest by {@link #roll}. */
    Answer abort(AbortRollout abort) {
        Rollout rollout = known(abort.rollout());
        if (rollout.isOver()) {
            throw not(rollout, "aborted");
        }
        draft.put(
                rollout.ended(Status.ABORTED, turn.now(), "by " + abort.actor().name()));
        note(Entry.What.ROLLOUT_ABORTED, rollout.name(), abort.actor(), "");
        callOffSome(rollout.name(), abort.actor());
        return Answer.NOTHING;
    }

    private boolean callOffSome(String rollout, Actor actor) {
        Pieces pieces = new Pieces(turn);
        List<OpenPiece> scheduled = draft.open(rollout).stream()
                .filter(p -> !pieces.hasStarted(p))
                .limit(OPENED_PER_COMMAND)
                .toList();
        scheduled.forEach(p -> pieces.callOff(p, Piece.State.PENDING, actor, "rollout aborted"));
        return !scheduled.isEmpty();
    }

    private Rollout known(String name) {
        return draft.rollout(name).orElseThrow(() -> Unknown.rollout(draft, name));
    }

    private static Refusal not(Rollout rollout, String done) {
        return new Refusal(
                Problem.CONFLICT,
                "rollout " + rollout.name() + " is " + rollout.status().name().toLowerCase(Locale.ROOT)
                        + " and cannot be " + done);
    }

    /** Opens what may be opened; answers how many of the pieces were looked at. */
    Answer roll(Roll roll) {
        Rollout rollout = draft.rollout(roll.rollout()).orElse(null);
        if (rollout == null || rollout.status() != Status.RUNNING) {
            if (rollout != null && rollout.status() == Status.ABORTED) {
                callOffSome(roll.rollout(), Actor.SERVICE);
            }
            return Answer.NOTHING;
        }
        Instant selfService = rollout.spec().selfServiceUntil();
        if (selfService != null && selfService.isAfter(turn.now())) {
            roll.pieces().forEach(p -> draft.put(Waits.forTime(new Tie(rollout.name(), p), selfService)));
            return new Answer(List.of(), roll.pieces().size());
        }
        Shares shares = new Shares(draft, rollout.spec());
        int looked = 0;
        int opened = 0;
        while (looked < roll.pieces().size() && opened < OPENED_PER_COMMAND && hasRoom(rollout.name())) {
            Tie tie = new Tie(rollout.name(), roll.pieces().get(looked++));
            Piece piece = new Pieces(turn).chunk(tie).piece(tie.piece());
            if (piece.state() == Piece.State.PENDING) {
                opened += open(tie, piece.name(), shares);
            }
        }
        endIfOver(rollout.name());
        return new Answer(List.of(), looked);
    }

    private boolean hasRoom(String rollout) {
        return draft.rollout(rollout).orElseThrow().hasRoom();
    }

    /** In how many parts a piece was opened; 0 if it was not. */
    private int open(Tie tie, String name, Shares found) {
        Rollout rollout = draft.rollout(tie.rollout()).orElseThrow();
        RolloutSpec spec = rollout.spec();
        List<Share> all = found.of(name, rollout.createdAt());
        if (all.isEmpty()) {
            skip(tie);
            return 0;
        }
        // A drill moves nobody, so it has no passes to wait for.
        List<Share> moving = spec.drill() ? List.of() : domainsToMove(all);
        List<Share> shares = moving.isEmpty() ? all : moving;
        Cause cause = moving.isEmpty() ? spec.cause() : Cause.HOST_REDEPLOY;
        Optional<Waits> waits = inTheWay(tie, shares).or(() -> otherFaultDomain(tie, rollout, shares));
        if (waits.isPresent()) {
            draft.put(waits.get());
            return 0;
        }
        Starting starting = new Starting(turn);
        List<Duration> notices =
                shares.stream().map(s -> notice(s, cause, spec)).toList();
        Instant noticed = turn.now().plus(Collections.max(notices));
        Instant from = earliest(rollout, shares);
        // All groups of a piece start together, so they need a moment that suits all of them.
        Optional<Instant> common =
                Windows.earliest(from.isAfter(noticed) ? from : noticed, found.calendars(shares, turn.terms()));
        if (common.isEmpty()) {
            draft.put(Waits.forTime(tie, turn.now().plus(NO_WINDOW)));
            return 0;
        }
        Instant earliest = common.get();
        List<OpenPiece.Part> parts = new ArrayList<>();
        shares.forEach(share -> parts.add(new OpenPiece.Part(share.group(), ids.get())));
        draft.put(new OpenPiece(tie, !moving.isEmpty(), parts));
        draft.put(new Pieces(turn).chunk(tie).with(tie.piece(), Piece.State.OPEN));
        draft.put(rollout.counted(1, 0, 0));
        for (int i = 0; i < shares.size(); i++) {
            Share share = shares.get(i);
            Work work = new Work(
                    cause,
                    share.machines().stream().map(Machine::name).toList(),
                    share.updateDomain(),
                    notices.get(i),
                    spec.description() == null ? cause.description() : spec.description(),
                    turn.terms().interruption().get(cause.type()),
                    turn.now(),
                    tie,
                    spec.drill());
            starting.plan(share.group(), Event.accepted(parts.get(i).event(), work), earliest);
        }
        shares.forEach(share -> starting.settle(share.group(), Actor.SERVICE));
        return shares.size();
    }

    /** What the rollout says, but never less than the group's policy; nothing for a group that asks for none. */
    private Duration notice(Share share, Cause cause, RolloutSpec spec) {
        if (!turn.enabled(share.group())) {
            return Duration.ZERO;
        }
        Duration least = Policies.of(draft, turn.terms(), share.group(), cause.type())
                .notice()
                .value();
        return spec.notice() == null || spec.notice().compareTo(least) < 0 ? least : spec.notice();
    }

    private void skip(Tie tie) {
        draft.put(new Pieces(turn).chunk(tie).with(tie.piece(), Piece.State.SKIPPED));
        draft.put(draft.rollout(tie.rollout()).orElseThrow().counted(0, 1, 0));
    }

    /** Of each group that has two update domains here, the last: it must be moved away before the host is worked on. */
    static List<Share> domainsToMove(List<Share> shares) {
        List<Share> moving = new ArrayList<>();
        for (int i = 1; i < shares.size(); i++) {
            boolean second = shares.get(i).group().equals(shares.get(i - 1).group());
            boolean last = i + 1 == shares.size()
                    || !shares.get(i + 1).group().equals(shares.get(i).group());
            if (second && last) {
                moving.add(shares.get(i));
            }
        }
        return moving;
    }

    /** All slots at once or none: the first group that has none to give. */
    private Optional<Waits> inTheWay(Tie tie, List<Share> shares) {
        for (Share share : shares) {
            GroupState state = draft.state(share.group());
            for (Event event : state.events()) {
                boolean otherDomain =
                        event.work().cause().planned() && event.work().updateDomain() != share.updateDomain();
                if (otherDomain || share.machines().stream().anyMatch(m -> event.lists(m.name()))) {
                    return Optional.of(Waits.forGroup(tie, share.group(), null));
                }
            }
            if (state.events().size() >= Scheduling.MOST_OPEN_EVENTS) {
                return Optional.of(Waits.forGroup(tie, share.group(), null));
            }
            Optional<Hold> unwell = turn.holds().unwell(state, share.updateDomain());
            if (unwell.isPresent()) {
                return Optional.of(
                        Waits.forGroup(tie, share.group(), unwell.get().until()));
            }
        }
        return Optional.empty();
    }

    /** Where one fault domain is worked on at a time, all that is open lies in the same: any of it tells which. */
    private Optional<Waits> otherFaultDomain(Tie tie, Rollout rollout, List<Share> shares) {
        if (rollout.spec().atOnce().kind() != AtOnce.Kind.FAULT_DOMAIN || rollout.open() == 0) {
            return Optional.empty();
        }
        Set<Integer> domains = new HashSet<>();
        shares.forEach(s -> s.machines().forEach(m -> domains.add(m.faultDomain())));
        OpenPiece open = draft.open(rollout.name()).iterator().next();
        for (OpenPiece.Part part : open.parts()) {
            for (String machine : new Pieces(turn).event(part).resources()) {
                draft.machine(new MachineId(part.group().tenant(), machine))
                        .ifPresent(m -> domains.add(m.faultDomain()));
            }
        }
        return domains.size() == 1 ? Optional.empty() : Optional.of(Waits.forItsTurn(tie));
    }

    /** Announced while another domain still recovers, it starts when that has. */
    private Instant earliest(Rollout rollout, List<Share> shares) {
        Duration rest = rollout.spec().recovery() == null
                ? turn.terms().recovery()
                : rollout.spec().recovery();
        Instant earliest = turn.now();
        for (Share share : shares) {
            GroupState.Down last = draft.state(share.group()).lastDown();
            if (last != null
                    && last.updateDomain() != share.updateDomain()
                    && last.endedAt().plus(rest).isAfter(earliest)) {
                earliest = last.endedAt().plus(rest);
            }
        }
        return earliest;
    }

    /** A failed piece halts the rollout; the last piece ends it. */
    void pieceEnded(Tie tie, Piece.State state, String detail) {
        Rollout rollout = draft.rollout(tie.rollout()).orElseThrow();
        if (state == Piece.State.FAILED && rollout.status() == Status.RUNNING) {
            String piece = new Pieces(turn).chunk(tie).piece(tie.piece()).name();
            String why = (piece + " failed. " + detail).strip();
            draft.put(rollout.with(Status.HALTED, why));
            note(Entry.What.ROLLOUT_HALTED, rollout.name(), Actor.SERVICE, why);
        }
        endIfOver(tie.rollout());
    }

    private void endIfOver(String name) {
        Rollout rollout = draft.rollout(name).orElseThrow();
        if (rollout.status() == Status.RUNNING && rollout.pending() == 0 && rollout.open() == 0) {
            draft.put(rollout.ended(Status.DONE, turn.now(), ""));
            note(
                    Entry.What.ROLLOUT_DONE,
                    name,
                    Actor.SERVICE,
                    rollout.done() + " done, " + rollout.failed() + " failed of " + rollout.pieces());
        }
    }

    private void note(Entry.What what, String rollout, Actor actor, String detail) {
        String all = detail.isEmpty() ? rollout : rollout + ": " + detail;
        draft.note(new Entry(turn.now(), what.name(), null, null, null, List.of(), actor, null, null, null, all));
    }
}
