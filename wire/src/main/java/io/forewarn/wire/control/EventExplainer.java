package io.forewarn.wire.control;

import io.forewarn.core.event.Event;
import io.forewarn.core.policy.EffectivePolicy;
import io.forewarn.core.policy.SourcedValue;
import io.forewarn.core.rules.StartBlocker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** Explains which policy values apply to an event and what prevents it from starting. */
public final class EventExplainer {
    private EventExplainer() {}

    public static List<StartBlockerBody> blockers(List<StartBlocker> blockers) {
        return blockers.stream()
                .map(h -> new StartBlockerBody(
                        h.why(), h.until() == null ? null : h.until().toString()))
                .toList();
    }

    /** The values, named as in a policy. */
    public static List<SourcedValueBody> values(Event event, EffectivePolicy policy) {
        List<SourcedValueBody> values = new ArrayList<>();
        values.add(notice(event, policy.notice()));
        values.add(value("approval", policy.approval(), Object::toString));
        values.add(value("autoApprove", policy.autoApprove(), Object::toString));
        values.add(value("approveWhenAllDown", policy.whenAllDown(), Object::toString));
        values.add(value("seenByAll", policy.seenByAll(), Object::toString));
        values.add(value(
                "windows",
                policy.windows(),
                all -> all.isEmpty()
                        ? "always"
                        : String.join("; ", all.stream().map(PolicyText::window).toList())));
        values.add(value(
                "blackouts",
                policy.blackouts(),
                all -> all.isEmpty()
                        ? "none"
                        : String.join(
                                "; ", all.stream().map(PolicyText::blackout).toList())));
        values.add(value("ownerPostponements", policy.ownerPostpones(), PolicyText::allowance));
        values.add(value("guestPostponements", policy.guestPostpones(), PolicyText::allowance));
        values.add(value("userOperations", policy.userOperations(), Object::toString));
        if (policy.shownAhead().value() != null) {
            values.add(value("shownAhead", policy.shownAhead(), Durations::print));
        }
        return values;
    }

    /** The notice was fixed when the event was accepted, so that policies may have changed since. */
    private static SourcedValueBody notice(Event event, SourcedValue<Duration> sourced) {
        Duration given = event.work().notice();
        return new SourcedValueBody(
                "notice",
                Durations.print(given),
                given.equals(sourced.value())
                        ? sourced.origin()
                        : "the request, or the policy in force when it was accepted");
    }

    private static <T> SourcedValueBody value(String name, SourcedValue<T> sourced, Function<T, String> spelling) {
        return new SourcedValueBody(name, spelling.apply(sourced.value()), sourced.origin());
    }
}
