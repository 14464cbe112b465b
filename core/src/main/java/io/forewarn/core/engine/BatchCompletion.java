package io.forewarn.core.engine;

import io.forewarn.core.Actor;
import io.forewarn.core.ClockReading;
import io.forewarn.core.Problem;
import io.forewarn.core.RefusedException;
import io.forewarn.core.event.Event;
import io.forewarn.core.event.EventId;
import io.forewarn.core.event.Phase;
import io.forewarn.core.fleet.GroupId;
import io.forewarn.core.rules.Command;
import io.forewarn.core.rules.GroupState;
import io.forewarn.core.rules.RolloutWorkQueue;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;

/**
 * Completes a batch once its outcome is known. After a commit it publishes the changes, notifies listeners,
 * answers callers and starts drivers. After a rejection it refuses callers and requeues the work that no caller would request again.
 */
final class BatchCompletion {
    private static final Duration TRY_ROLL_AGAIN = Duration.ofMinutes(1);

    private final EngineContext context;
    private final PublishedState view;
    private final Deadlines deadlines;
    private final RolloutWorkQueue rollouts;
    private final CommandQueues queues;
    private final StatePublisher publisher;
    private final GroupRechecks rechecks;
    private final IdempotencyCache results;
    private final AuditWriter auditWriter;
    private final DriverTaskFactory tasks;

    BatchCompletion(
            EngineContext context,
            PublishedState view,
            Deadlines deadlines,
            RolloutWorkQueue rollouts,
            CommandQueues queues,
            GroupRechecks rechecks,
            IdempotencyCache results,
            AuditWriter auditWriter) {
        this.context = context;
        this.view = view;
        this.deadlines = deadlines;
        this.rollouts = rollouts;
        this.queues = queues;
        this.publisher = new StatePublisher(view, deadlines, rollouts, rechecks);
        this.rechecks = rechecks;
        this.results = results;
        this.auditWriter = auditWriter;
        this.tasks = new DriverTaskFactory(view);
    }

    void committed(CommitBatch batch, long nanos) {
        ClockReading readable = context.clock().now();
        batch.writtenLink().ifPresent(link -> view.publish(link.head()));
        publisher.publish(batch.draft(), batch.publication(), readable);
        batch.due().stream()
                .filter(g ->
                        batch.draft().states().stream().noneMatch(s -> s.group().equals(g)))
                .forEach(g -> deadlines.again(view.state(g), batch.decidedAt()));
        batch.done().forEach(d -> results.remember(d, batch.decidedAt().wall()));
        // Before the answers: a caller that reads history or the stream next must find what it did.
        batch.writtenPage().ifPresent(page -> context.listener()
                .committed(page, batch.decided().size(), nanos));
        batch.decided().forEach(command -> answer(command, batch.decidedAt()));
        batch.draft().starts().forEach(id -> batch.draft().groupOf(id).ifPresent(g -> context.driver()
                .start(tasks.task(g, started(g, id)))));
        delayLate(batch, readable);
    }

    private Event started(GroupId group, EventId id) {
        return view.state(group).event(id).orElseThrow();
    }

    private void answer(CommitBatch.Decided command, ClockReading now) {
        if (command.command() instanceof Command.Roll roll) {
            if (command.refusal() == null) {
                rollouts.rolled(roll, command.answer().changes());
            } else {
                rollouts.putOff(roll, now.wall().plus(TRY_ROLL_AGAIN));
            }
        }
        if (command.refusal() != null) {
            command.pending().refuse(command.refusal());
        } else if (command.command() instanceof Command.SetPolicy
                || command.command() instanceof Command.RemovePolicy) {
            rechecks.afterPolicies(() -> command.pending().answer().complete(command.answer()));
        } else {
            command.pending().answer().complete(command.answer());
        }
    }

    /** Notice counts from the moment an event can be read. An event that was only moved could be read before. */
    private void delayLate(CommitBatch batch, ClockReading readable) {
        ClockReading now = batch.decidedAt();
        Duration delay = Duration.ofNanos(readable.nanos() - now.nanos());
        if (delay.compareTo(RestartRecovery.TOLERATED_DELAY) <= 0) {
            return;
        }
        for (GroupState state : batch.draft().states()) {
            Set<EventId> late = new HashSet<>();
            state.events().stream()
                    .filter(e -> e.phase() == Phase.SCHEDULED
                            && e.noticePeriod().commit() == batch.draft().commit()
                            && e.noticePeriod().at().equals(now.wall()))
                    .forEach(e -> late.add(e.id()));
            if (!late.isEmpty()) {
                queues.ask(new Command.Delayed(state.group(), late, delay));
            }
        }
    }

    /** The outcome is unknown, or the batch will not be carried out. */
    void abandoned(CommitBatch batch, RefusedException refusal) {
        batch.decided().forEach(command -> command.pending().refuse(refusal));
    }

    /** Refuses a staged change that conflicts with later commands, and audits that. */
    void refused(CommitBatch batch, RefusedException refusal) {
        abandoned(batch, refusal);
        if (refusal.problem() != Problem.CONFLICT) {
            return; // Nothing was decided about it.
        }
        batch.decided().stream()
                .map(CommitBatch.Decided::command)
                .filter(command -> command.actor().kind() == Actor.Kind.PERSON)
                .forEach(command -> queues.denied(CommandAuditText.of(command), refusal, command.actor()));
    }

    void rejected(CommitBatch batch, StoreException problem) {
        boolean unasked = !batch.due().isEmpty();
        for (CommitBatch.Decided command : batch.decided()) {
            if (command.command() instanceof Command.Roll roll) {
                unasked = true;
                rollouts.again(roll);
            } else if (isOwn(command.command(), batch)) {
                if (command.command() instanceof Command.Denied) {
                    auditWriter.keep(command.pending(), command.refused());
                }
                unasked = true;
                queues.retry(command.pending());
            } else {
                command.pending().refuse(StoreRefusals.nothingDone(problem));
            }
        }
        batch.due().forEach(g -> deadlines.again(view.state(g), batch.decidedAt()));
        if (unasked) {
            queues.pause();
        }
    }

    /** Whether no caller would request it again. */
    private static boolean isOwn(Command command, CommitBatch batch) {
        return command instanceof Command.Delayed
                || command instanceof Command.RaiseIncarnation
                || command instanceof Command.Arrive
                || command instanceof Command.Denied
                || command instanceof Command.Sight
                || command instanceof Command.Due look && !batch.due().contains(look.group());
    }

    /** The rules failed on a command. */
    void failed(PendingCommand pending, RuntimeException bug, ClockReading now) {
        if (pending.command() instanceof Command.Roll roll) {
            rollouts.putOff(roll, now.wall().plus(TRY_ROLL_AGAIN));
        }
        pending.answer().completeExceptionally(bug);
    }
}
