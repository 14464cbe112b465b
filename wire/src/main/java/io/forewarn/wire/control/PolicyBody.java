package io.forewarn.wire.control;

import io.forewarn.core.Problem;
import io.forewarn.core.RefusedException;
import io.forewarn.core.event.EventType;
import io.forewarn.core.policy.Policy;
import io.forewarn.core.policy.Scope;
import java.time.Duration;
import java.time.ZoneId;
import java.util.List;
import java.util.function.Function;

/**
 * A policy for a tenant, a group, or one event type of either.
 *
 * @param tenant default: the token's tenant
 * @param group default: all groups of the tenant
 * @param type freeze, reboot, redeploy, preempt or terminate; default: all types
 * @param notice the minimum notice, such as 30m
 * @param autoApprove whether restarts and redeploys that owners request start at once
 * @param approveWhenAllDown whether an event counts as approved if none of its machines is running
 * @param approval how many machines must approve: any, all, or a number
 * @param windows when platform work may start, such as sat,sun 01:00 4h Europe/Berlin; the default zone is clock.zone; an
 *     empty list means at any time
 * @param blackouts when no platform work starts: whole days, such as 2026-12-24..2026-12-27 Europe/Berlin, or with times of day, such
 *     as 2026-12-24 18:00..2026-12-27 06:00; the default zone is clock.zone
 * @param ownerPostponements how many times, and by how much in total, a person may postpone an event, such as 3x2h, or none
 * @param guestPostponements how many times, and by how much in total, the machines may postpone an event
 * @param seenByAll whether an event waits until each affected machine has seen it
 * @param shownAhead how far in advance of its start an event of a rollout may first be shown to machines, such as {@code 1h}; they always
 *     see it for at least its full notice
 * @param userOperations number of restarts, redeploys and deletions that the tenant may have open
 * @param warning a warning for the caller; only in the answer to a request that sets values
 */
public record PolicyBody(
        String tenant,
        String group,
        String type,
        String notice,
        Boolean autoApprove,
        Boolean approveWhenAllDown,
        String approval,
        List<String> windows,
        List<String> blackouts,
        String ownerPostponements,
        String guestPostponements,
        Boolean seenByAll,
        Integer userOperations,
        String shownAhead,
        String warning) {
    public static PolicyBody of(Policy policy) {
        return of(policy, null);
    }

    public static PolicyBody of(Policy policy, String warning) {
        return new PolicyBody(
                policy.scope().tenant(),
                policy.scope().group(),
                maybe(policy.scope().type(), EnumNames::of),
                maybe(policy.notice(), Durations::print),
                policy.autoApprove(),
                policy.whenAllDown(),
                maybe(policy.approval(), Object::toString),
                maybe(
                        policy.windows(),
                        all -> all.stream().map(PolicyText::window).toList()),
                maybe(
                        policy.blackouts(),
                        all -> all.stream().map(PolicyText::blackout).toList()),
                maybe(policy.ownerPostpones(), PolicyText::allowance),
                maybe(policy.guestPostpones(), PolicyText::allowance),
                policy.seenByAll(),
                policy.userOperations(),
                maybe(policy.shownAhead(), Durations::print),
                warning);
    }

    /**
     * What it says, for a scope that was looked up.
     *
     * @param zone of windows and blackouts that name none
     */
    public Policy policy(Scope scope, ZoneId zone) {
        return new Policy(
                        scope,
                        maybe(notice, PolicyBody::duration),
                        autoApprove,
                        approveWhenAllDown,
                        maybe(approval, PolicyText::voting),
                        maybe(windows, all -> all.stream()
                                .map(text -> PolicyText.window(text, zone))
                                .toList()),
                        maybe(blackouts, all -> all.stream()
                                .map(text -> PolicyText.blackout(text, zone))
                                .toList()),
                        maybe(ownerPostponements, PolicyText::allowance),
                        maybe(guestPostponements, PolicyText::allowance),
                        seenByAll,
                        userOperations)
                .shownAhead(maybe(shownAhead, PolicyBody::duration));
    }

    public static EventType type(String word) {
        return EnumNames.parse(EventType.class, word)
                .orElseThrow(() -> new RefusedException(
                        Problem.BAD_INPUT,
                        "type must be " + EnumNames.either(EnumNames.all(EventType.class)) + ", not '" + word + "'"));
    }

    private static Duration duration(String text) {
        return Durations.parse(text)
                .orElseThrow(() -> new RefusedException(
                        Problem.BAD_INPUT, "notice must be " + Durations.RULE + ", not '" + text + "'"));
    }

    private static <T, R> R maybe(T value, Function<T, R> spelling) {
        return value == null ? null : spelling.apply(value);
    }
}
