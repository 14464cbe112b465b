package io.forewarn.core.engine;

import io.forewarn.core.ClockReading;
import io.forewarn.core.event.Event;
import io.forewarn.core.event.Phase;
import io.forewarn.core.rollout.Rollout;
import io.forewarn.core.rollout.RolloutUnitChunk;
import io.forewarn.core.rules.Command;
import io.forewarn.core.rules.GroupState;
import io.forewarn.core.rules.RolloutWorkQueue;
import java.time.Duration;
import java.util.Set;

/**
 * Resumes the work that was in progress when the last writer ended: sets deadlines, postpones events that may never have
 * been readable, asks drivers about the events that had started, and has every rollout looked at.
 */
final class RestartRecovery {
    /** Notice that begins late by no more than this is not moved. */
    static final Duration TOLERATED_DELAY = Duration.ofSeconds(1);

    private final EngineContext context;
    private final PublishedState view;
    private final Deadlines deadlines;
    private final RolloutWorkQueue rollouts;
    private final CommandQueues queues;

    RestartRecovery(
            EngineContext context,
            PublishedState view,
            Deadlines deadlines,
            RolloutWorkQueue rollouts,
            CommandQueues queues) {
        this.context = context;
        this.view = view;
        this.deadlines = deadlines;
        this.rollouts = rollouts;
        this.queues = queues;
    }

    /**
     * @param downtime the time that does not count as notice for waiting events
     * @param last the commits whose announcements may never have been readable
     */
    void resume(ClockReading now, DowntimeTracker downtime, Set<Long> last) {
        view.since(now.wall());
        DriverTaskFactory tasks = new DriverTaskFactory(view);
        for (GroupView group : view.allGroups()) {
            GroupState state = group.state();
            deadlines.loaded(
                    state,
                    now,
                    downtime,
                    event -> last.contains(event.noticePeriod().commit()));
            delayUnread(state, last, now);
            if (state.events().stream()
                    .anyMatch(e -> e.phase() == Phase.SCHEDULED
                            && (e.isApproved() || e.work().unit() != null))) {
                // The last commit may have removed what held it, or changed which machines it affects.
                queues.ask(new Command.Due(group.id(), false));
            }
            state.events().stream()
                    .filter(e -> e.phase() == Phase.STARTED && tasks.leads(e))
                    .forEach(e -> context.driver().status(tasks.task(state.group(), e)));
        }
        for (Rollout rollout : view.rollouts()) {
            rollouts.published(rollout);
            for (int chunk = 0; chunk < RolloutUnitChunk.chunks(rollout.units()); chunk++) {
                rollouts.published(null, view.units(rollout.name(), chunk));
            }
        }
    }

    /** Events that the very last commit scheduled may never have been readable before the crash: their notice begins now. */
    private void delayUnread(GroupState state, Set<Long> last, ClockReading now) {
        for (Event event : state.events()) {
            if (event.phase() == Phase.SCHEDULED
                    && last.contains(event.noticePeriod().commit())) {
                Duration delay = Duration.between(event.noticePeriod().at(), now.wall());
                if (delay.compareTo(TOLERATED_DELAY) > 0) {
                    queues.ask(new Command.Delayed(state.group(), Set.of(event.id()), delay));
                }
            }
        }
    }
}
