package io.forewarn.core.rules;

import io.forewarn.core.event.EventType;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * The numbers in the contract. The two profiles are two values of this type, and individual settings override either.
 *
 * @param minimumNotice per type: contract §5
 * @param longestTerminateNotice the most an owner may set
 * @param silence after how long without a poll a group counts as not enabled; null: groups are always enabled
 * @param userOperations how many user operations a tenant may have open
 * @param recovery between two update domains of a group taken down by platform work
 * @param interruption how long a machine is expected to be unavailable, where that is known
 * @param owners the limits on owners
 * @param tolerance by how much a unit of a rollout may start late before its date moves
 * @param durations how long work takes, as far as the driver knows
 */
public record ServiceTerms(
        Map<EventType, Duration> minimumNotice,
        Duration longestTerminateNotice,
        Duration silence,
        int userOperations,
        Duration recovery,
        Map<EventType, Duration> interruption,
        OwnerLimits owners,
        Duration tolerance,
        WorkDurations durations) {
    private static final Duration TOLERANCE = Duration.ofMinutes(5);

    /** The contract. */
    public static final ServiceTerms AZURE = new ServiceTerms(
            Map.of(
                    EventType.FREEZE, Duration.ofMinutes(15),
                    EventType.REBOOT, Duration.ofMinutes(15),
                    EventType.REDEPLOY, Duration.ofMinutes(10),
                    EventType.PREEMPT, Duration.ofSeconds(30),
                    EventType.TERMINATE, Duration.ofMinutes(5)),
            Duration.ofMinutes(15),
            Duration.ofHours(24),
            10,
            Duration.ofMinutes(30),
            Map.of(EventType.FREEZE, Duration.ofSeconds(5)),
            OwnerLimits.USUAL,
            TOLERANCE,
            WorkDurations.UNKNOWN);

    /** The contract for tests of handlers: groups are always enabled. */
    public static final ServiceTerms TEST = AZURE.alwaysEnabled();

    public ServiceTerms {
        minimumNotice = Map.copyOf(minimumNotice);
        interruption = Map.copyOf(interruption);
    }

    /** With the usual limits of owners. */
    public ServiceTerms(
            Map<EventType, Duration> minimumNotice,
            Duration longestTerminateNotice,
            Duration silence,
            int userOperations,
            Duration recovery,
            Map<EventType, Duration> interruption) {
        this(
                minimumNotice,
                longestTerminateNotice,
                silence,
                userOperations,
                recovery,
                interruption,
                OwnerLimits.USUAL,
                TOLERANCE,
                WorkDurations.UNKNOWN);
    }

    public ServiceTerms with(OwnerLimits limits) {
        return new ServiceTerms(
                minimumNotice,
                longestTerminateNotice,
                silence,
                userOperations,
                recovery,
                interruption,
                limits,
                tolerance,
                durations);
    }

    /** With what the driver knows about how long work takes. */
    public ServiceTerms with(WorkDurations known) {
        return new ServiceTerms(
                minimumNotice,
                longestTerminateNotice,
                silence,
                userOperations,
                recovery,
                interruption,
                owners,
                tolerance,
                known);
    }

    /** With another time by which units may start late before their dates move. */
    public ServiceTerms tolerating(Duration lateness) {
        return new ServiceTerms(
                minimumNotice,
                longestTerminateNotice,
                silence,
                userOperations,
                recovery,
                interruption,
                owners,
                lateness,
                durations);
    }

    public Duration minimumNotice(EventType type) {
        return minimumNotice.get(type);
    }

    public Optional<Duration> silenceAllowed() {
        return Optional.ofNullable(silence);
    }

    /** The same with the driver's estimates of how long machines are away. */
    public ServiceTerms expecting(Map<EventType, Duration> away) {
        return new ServiceTerms(
                minimumNotice,
                longestTerminateNotice,
                silence,
                userOperations,
                recovery,
                away,
                owners,
                tolerance,
                durations);
    }

    public ServiceTerms alwaysEnabled() {
        return new ServiceTerms(
                minimumNotice,
                longestTerminateNotice,
                null,
                userOperations,
                recovery,
                interruption,
                owners,
                tolerance,
                durations);
    }
}
