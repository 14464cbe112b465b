package io.forewarn.core.engine;

import io.forewarn.core.ClockReading;
import io.forewarn.core.event.Event;
import io.forewarn.core.event.EventId;
import io.forewarn.core.event.NoticePeriod;
import io.forewarn.core.event.Phase;
import io.forewarn.core.fleet.GroupId;
import io.forewarn.core.rules.GroupState;
import io.forewarn.core.rules.NoticeEnd;
import io.forewarn.core.rules.Rules;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

/**
 * Keeps, for each group, the time at which something is due next. The wall clock says when a notice is over, but it can be set: an event counts as elapsed
 * only when the rest of its notice, measured from when the event became readable, has also passed on the monotonic clock.
 */
final class Deadlines {
    /** A due time; stale once the group's deadline was set again. */
    private record Alarm(Instant at, GroupId group) implements Comparable<Alarm> {
        @Override
        public int compareTo(Alarm other) {
            int byTime = at.compareTo(other.at);
            return byTime != 0 ? byTime : group.compareTo(other.group);
        }
    }

    /**
     * The monotonic time from which an event may start by time.
     *
     * @param since when it became readable, plus all the time in which it was not
     * @param commit the commit that made it readable
     */
    private record Release(Instant notBefore, long nanos, long since, long commit) {
        Release afterStall(long missed, long earliest) {
            return new Release(notBefore, Math.max(nanos + missed, earliest), since + missed, commit);
        }
    }

    private static final Duration TRY_AGAIN = Duration.ofSeconds(1);

    /** Longer times need not be counted. */
    private static final Duration LONGEST = Duration.ofDays(36_500);

    private final Rules rules;
    private final PublishedState view;
    private final PriorityQueue<Alarm> alarms = new PriorityQueue<>();
    private final Map<GroupId, Instant> armed = new HashMap<>();
    /** Read by any thread; the inner maps do not change. */
    private final Map<GroupId, Map<EventId, Release>> releases = new ConcurrentHashMap<>();

    private volatile long earliestRelease = Long.MIN_VALUE;
    private Instant latest = Instant.MIN;

    Deadlines(Rules rules, PublishedState view) {
        this.rules = rules;
        this.view = view;
    }

    /** Nothing is due before this: the grace period after a start. */
    void notBefore(long nanos) {
        earliestRelease = nanos;
    }

    /**
     * Documents could not be read for a while, or service time was set: nothing is due before the grace period is over, and the
     * missed time does not count as notice.
     */
    void held(long missed, long earliest, ClockReading now) {
        long release = Math.max(earliestRelease, earliest);
        earliestRelease = release;
        releases.replaceAll((group, events) -> {
            Map<EventId, Release> after = new HashMap<>(events);
            after.replaceAll((id, known) -> known.afterStall(missed, release));
            return Map.copyOf(after);
        });
        Set.copyOf(armed.keySet()).forEach(group -> arm(view.state(group), now));
    }

    /** Whether the notice of any event is running. */
    boolean anyNotice() {
        return !releases.isEmpty();
    }

    /** The oldest commit whose events wait for their notice. */
    long oldest() {
        return releases.values().stream()
                .flatMap(events -> events.values().stream())
                .mapToLong(Release::commit)
                .min()
                .orElse(Long.MAX_VALUE);
    }

    /** Takes over a group's state that was just published: its new events can be read from now on. */
    void published(GroupState state, ClockReading now) {
        learn(state, now, new DowntimeTracker(), event -> true);
    }

    /**
     * Takes over a group's state that was loaded: only the events in {@code unread} may not have been readable before.
     *
     * @param downtime how long the rest could not be read
     */
    void loaded(GroupState state, ClockReading now, DowntimeTracker downtime, Predicate<Event> unread) {
        learn(state, now, downtime, unread);
    }

    private void learn(GroupState state, ClockReading now, DowntimeTracker downtime, Predicate<Event> unread) {
        Map<EventId, Release> before = releases.getOrDefault(state.group(), Map.of());
        Map<EventId, Release> after = new HashMap<>();
        for (Event event : state.events()) {
            if (event.phase() == Phase.SCHEDULED) {
                Release known = known(before, event);
                Instant notBefore = event.noticePeriod().notBefore();
                boolean fresh = known == null && unread.test(event);
                Duration owed = fresh
                        ? event.work().notice()
                        : known != null ? Duration.ofNanos(known.nanos - now.nanos()) : owed(event, now, downtime);
                long since = known != null
                        ? known.since
                        : fresh
                                ? now.nanos()
                                : now.nanos() - readable(event, now, downtime).toNanos();
                after.put(
                        event.id(),
                        known != null && known.notBefore.equals(notBefore) ? known : release(event, owed, since, now));
            }
        }
        if (after.isEmpty()) {
            releases.remove(state.group());
        } else {
            releases.put(state.group(), Map.copyOf(after));
        }
        arm(state, now);
    }

    /** An event planned for a group that is not enabled is readable only from the commit that shows it. */
    private static Release known(Map<EventId, Release> before, Event event) {
        Release known = before.get(event.id());
        return known != null && known.commit == event.noticePeriod().commit() ? known : null;
    }

    /** The rest of a notice, counting only the time in which it could be read; never more than the whole. */
    private static Duration owed(Event event, ClockReading now, DowntimeTracker downtime) {
        NoticePeriod notice = event.noticePeriod();
        Duration rest = Duration.between(now.wall(), notice.notBefore()).plus(downtime.since(notice.commit()));
        Duration whole = Duration.between(notice.at(), notice.notBefore());
        return rest.compareTo(whole) > 0 ? whole : rest;
    }

    private static Duration readable(Event event, ClockReading now, DowntimeTracker downtime) {
        NoticePeriod notice = event.noticePeriod();
        Duration readable = Duration.between(notice.at(), now.wall()).minus(downtime.since(notice.commit()));
        return readable.isNegative() ? Duration.ZERO : readable.compareTo(LONGEST) > 0 ? LONGEST : readable;
    }

    /** @param owed how much notice must still pass on the monotonic clock */
    private Release release(Event event, Duration owed, long since, ClockReading now) {
        Instant notBefore = event.noticePeriod().notBefore();
        Duration rest = Duration.between(now.wall(), notBefore);
        Duration longer = rest.compareTo(owed) > 0 ? rest : owed;
        long nanos = (longer.compareTo(LONGEST) > 0 ? LONGEST : longer).toNanos();
        return new Release(
                notBefore,
                Math.max(earliestRelease, now.nanos() + nanos),
                since,
                event.noticePeriod().commit());
    }

    private void arm(GroupState state, ClockReading now) {
        Optional<Instant> due = rules.due(view, state, now.wall());
        if (due.isEmpty()) {
            armed.remove(state.group());
            return;
        }
        Instant at = due.get();
        if (!at.isAfter(now.wall())) {
            at = now.wall().plus(isReady(state, now) ? Duration.ZERO : untilRelease(state.group(), now));
        }
        armed.put(state.group(), at);
        alarms.add(new Alarm(at, state.group()));
    }

    /** An event is to be shown, or needs no more notice and nothing holds it: what was not committed is retried. */
    private boolean isReady(GroupState state, ClockReading now) {
        return rules.isToBeShown(view, state, now.wall())
                || state.events().stream()
                        .filter(e -> e.phase() == Phase.SCHEDULED && (e.isApproved() || !e.shared()))
                        .anyMatch(e -> rules.blocker(view, state.group(), e, now.wall())
                                .isEmpty());
    }

    /** NotBefore has passed by the wall clock, but perhaps not by monotonic time. */
    private Duration untilRelease(GroupId group, ClockReading now) {
        long shortest = Long.MAX_VALUE;
        for (Release release : releases.getOrDefault(group, Map.of()).values()) {
            long rest = release.nanos - now.nanos();
            if (rest > 0) {
                shortest = Math.min(shortest, rest);
            } else if (!release.notBefore.isAfter(now.wall())) {
                return Duration.ZERO;
            }
        }
        return shortest == Long.MAX_VALUE ? TRY_AGAIN : Duration.ofNanos(shortest);
    }

    /** A group that is due, if any; its deadline must be set again by publishing it or by {@link #again}. */
    Optional<GroupId> take(ClockReading now) {
        if (now.wall().isBefore(latest)) {
            // The wall clock was set back, and deadlines set by it may be hours ahead.
            Set.copyOf(armed.keySet()).forEach(group -> arm(view.state(group), now));
        }
        latest = now.wall();
        if (next().filter(at -> !at.isAfter(now.wall())).isEmpty()) {
            return Optional.empty();
        }
        Alarm alarm = alarms.remove();
        armed.remove(alarm.group);
        return Optional.of(alarm.group);
    }

    /** Sets the deadline of a group again that was due and did not change. */
    void again(GroupState state, ClockReading now) {
        arm(state, now);
        Instant at = armed.get(state.group());
        if (at != null && !at.isAfter(now.wall())) {
            armed.put(state.group(), now.wall().plus(TRY_AGAIN));
            alarms.add(new Alarm(now.wall().plus(TRY_AGAIN), state.group()));
        }
    }

    /** Whether an event's notice is over by monotonic time. */
    boolean isOver(EventId event, GroupId group, ClockReading now) {
        Release release = releases.getOrDefault(group, Map.of()).get(event);
        return release != null && release.nanos <= now.nanos();
    }

    /** When an event's notice is over by monotonic time. Any thread. */
    NoticeEnd end(EventId event, GroupId group, ClockReading now) {
        Release release = releases.getOrDefault(group, Map.of()).get(event);
        if (release == null) {
            return new NoticeEnd(now.wall(), false);
        }
        Instant end = now.wall().plusNanos(release.nanos - now.nanos()).truncatedTo(ChronoUnit.MILLIS);
        return new NoticeEnd(end, release.nanos <= earliestRelease);
    }

    /** For how long an event could be read; empty if it was not scheduled. */
    Optional<Duration> readable(EventId event, GroupId group, ClockReading now) {
        return Optional.ofNullable(releases.getOrDefault(group, Map.of()).get(event))
                .map(known -> Duration.ofNanos(now.nanos() - known.since));
    }

    Optional<Instant> next() {
        while (!alarms.isEmpty() && !alarms.peek().at.equals(armed.get(alarms.peek().group))) {
            alarms.remove();
        }
        return Optional.ofNullable(alarms.peek()).map(Alarm::at);
    }
}
