package io.forewarn.core.rules;

import io.forewarn.core.event.EventId;
import io.forewarn.core.fleet.GroupId;
import io.forewarn.core.fleet.MachineId;
import io.forewarn.core.policy.Policy;
import io.forewarn.core.policy.Scope;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** The state as it will be if nothing unplanned happens. Machines that poll keep polling, and see new documents at once. */
final class ForecastState extends ChangeSet {
    private static final Duration POLLED_LATELY = Duration.ofHours(24);

    private final StateReader present;
    private final ServiceTerms terms;
    private final Instant from;
    private Instant now;

    ForecastState(StateReader present, ServiceTerms terms, Instant from) {
        super(present, 0, 0);
        this.present = present;
        this.terms = terms;
        this.from = from;
        this.now = from;
    }

    void advance(Instant to) {
        now = to;
    }

    @Override
    public boolean noticeOver(EventId event) {
        return true;
    }

    @Override
    public Instant lastPoll(GroupId group) {
        return DecisionContext.enabled(present, terms, group, from) ? now : present.lastPoll(group);
    }

    /** Also for a machine that others wait for, because a plan assumes that it comes back. */
    @Override
    public Instant lastPoll(MachineId machine) {
        Instant last = present.lastPoll(machine);
        boolean polls = last.isAfter(from.minus(POLLED_LATELY))
                || machine(machine)
                        .map(m -> present.state(m.group()).lastDown())
                        .filter(down -> down.awaited().contains(machine.name()))
                        .isPresent();
        return polls ? now : last;
    }

    /** The forecast does not wait for machines to see an event. */
    @Override
    public Optional<Policy> policy(Scope scope) {
        return super.policy(scope)
                .map(p -> p.seenByAll() == null
                        ? p
                        : new Policy(
                                p.scope(),
                                p.notice(),
                                p.autoApprove(),
                                p.whenAllDown(),
                                p.approval(),
                                p.windows(),
                                p.blackouts(),
                                p.ownerPostpones(),
                                p.guestPostpones(),
                                null,
                                p.userOperations()));
    }
}
