package io.forewarn.core.notification;

import io.forewarn.core.event.Transition;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Lists the types of notifications: transitions of events and other history entries, under fewer and simpler names. */
public enum NotificationType {
    SCHEDULED(
            Subject.EVENT,
            true,
            Transition.SCHEDULED,
            Transition.SCHEDULED_AFTER_WAITING,
            Transition.PLANNED,
            Transition.SCHEDULED_AFTER_PLANNING),
    WAITING(Subject.EVENT, true, Transition.ACCEPTED),
    MOVED(Subject.EVENT, true, Transition.MOVED, Transition.APPROVAL_LAPSED),
    POSTPONED(Subject.EVENT, true, Transition.POSTPONED, Transition.POSTPONED_UNSEEN),
    APPROVED(Subject.EVENT, true, Transition.APPROVED),
    STARTED(
            Subject.EVENT,
            true,
            Transition.STARTED_AT_ONCE,
            Transition.STARTED_WITHOUT_NOTICE,
            Transition.STARTED_WITHOUT_NOTICE_AFTER_WAITING,
            Transition.STARTED_BY_APPROVAL,
            Transition.STARTED_BY_TIME,
            Transition.STARTED_UNSEEN),
    TRIED_AGAIN(Subject.EVENT, true, Transition.TRIED_AGAIN),
    JOINED(Subject.EVENT, true, Transition.JOINED),
    CANCELLED(
            Subject.EVENT, true, Transition.CANCELLED, Transition.CANCELLED_WHILE_WAITING, Transition.CANCELLED_UNSEEN),
    SUPERSEDED(
            Subject.EVENT,
            true,
            Transition.SUPERSEDED,
            Transition.SUPERSEDED_WHILE_WAITING,
            Transition.REHEARSAL_ENDED,
            Transition.REHEARSAL_ENDED_UNSEEN),
    COMPLETED(Subject.EVENT, true, Transition.COMPLETED, Transition.COMPLETED_UNSEEN),
    FAILED(Subject.EVENT, true, Transition.FAILED, Transition.FAILED_UNSEEN),
    SEEN(Subject.EVENT, false),
    READY(Subject.EVENT, false),
    RECOVERED(Subject.MACHINE, false),
    ENABLED(Subject.GROUP, false),
    ROLLOUT_STARTED(Subject.ROLLOUT, true),
    ROLLOUT_PLANNED(Subject.ROLLOUT, true),
    ROLLOUT_MOVED(Subject.ROLLOUT, true),
    ROLLOUT_CANCELLED(Subject.ROLLOUT, true),
    ROLLOUT_PAUSED(Subject.ROLLOUT, true),
    ROLLOUT_RESUMED(Subject.ROLLOUT, true),
    ROLLOUT_HALTED(Subject.ROLLOUT, true),
    ROLLOUT_ABORTED(Subject.ROLLOUT, true),
    ROLLOUT_DONE(Subject.ROLLOUT, true),
    ROLLOUT_REMOVED(Subject.ROLLOUT, false),
    FLEET_CHANGED(Subject.FLEET, false),
    POLICY_SET(Subject.POLICY, false),
    POLICY_REMOVED(Subject.POLICY, false),
    TENANT_SET(Subject.TENANT, false),
    TOKEN_ADDED(Subject.TOKEN, false),
    TOKEN_REMOVED(Subject.TOKEN, false),
    CLOCK_MOVED(Subject.CLOCK, false),
    SUBSCRIPTION_ADDED(Subject.SUBSCRIPTION, false),
    SUBSCRIPTION_REMOVED(Subject.SUBSCRIPTION, false),
    DELIVERIES_RESENT(Subject.SUBSCRIPTION, false);

    /** What it is about. */
    private enum Subject {
        EVENT,
        MACHINE,
        GROUP,
        ROLLOUT,
        FLEET,
        POLICY,
        TENANT,
        TOKEN,
        CLOCK,
        SUBSCRIPTION
    }

    private static final Map<String, NotificationType> BY_ENTRY = byEntry();

    private final Subject subject;
    private final boolean usual;
    private final Set<Transition> steps;

    NotificationType(Subject subject, boolean usual, Transition... steps) {
        this.subject = subject;
        this.usual = usual;
        this.steps = Set.of(steps);
    }

    /** The type of a history entry; empty for an unknown one. */
    public static Optional<NotificationType> of(String what) {
        return Optional.ofNullable(BY_ENTRY.get(what));
    }

    /** The names of the history entries of this type. */
    public Set<String> entries() {
        return steps.isEmpty()
                ? Set.of(name())
                : steps.stream().map(Transition::name).collect(Collectors.toUnmodifiableSet());
    }

    /** The default types: the lifecycle of events and rollouts. */
    public static Set<NotificationType> usual() {
        Set<NotificationType> usual = EnumSet.allOf(NotificationType.class);
        usual.removeIf(type -> !type.usual);
        return usual;
    }

    /** The name for programs: {@code event.scheduled}, {@code rollout.halted}. */
    public String dotted() {
        String about = subject.name().toLowerCase(Locale.ROOT);
        String word = name().toLowerCase(Locale.ROOT).replace('_', '-');
        return about + "." + (word.startsWith(about + "-") ? word.substring(about.length() + 1) : word);
    }

    private static Map<String, NotificationType> byEntry() {
        Map<String, NotificationType> all = new HashMap<>();
        for (NotificationType type : values()) {
            type.entries().forEach(entry -> all.put(entry, type));
        }
        return Map.copyOf(all);
    }
}
