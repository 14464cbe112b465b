package io.forewarn.core.engine;

import io.forewarn.core.policy.Blackout;
import io.forewarn.core.policy.MaintenanceWindow;
import io.forewarn.core.policy.Policy;
import io.forewarn.core.policy.PostponementLimit;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Describes policies in the short form used in the audit log. */
final class PolicyAuditText {
    private static final int NAMED = 4;

    private PolicyAuditText() {}

    static String of(Policy policy) {
        List<String> values = new ArrayList<>();
        add(values, "notice", policy.notice() == null ? null : time(policy.notice()));
        add(values, "auto-approve", policy.autoApprove());
        add(values, "approve-when-all-down", policy.whenAllDown());
        add(values, "approval", policy.approval());
        add(values, "windows", some(policy.windows(), PolicyAuditText::window));
        add(values, "blackouts", some(policy.blackouts(), PolicyAuditText::blackout));
        add(values, "owners postpone", allowance(policy.ownerPostpones()));
        add(values, "guests postpone", allowance(policy.guestPostpones()));
        add(values, "seen-by-all", policy.seenByAll());
        add(values, "user operations", policy.userOperations());
        add(values, "shown ahead", policy.shownAhead() == null ? null : time(policy.shownAhead()));
        return values.isEmpty() ? "nothing" : String.join(", ", values);
    }

    private static void add(List<String> values, String what, Object value) {
        if (value != null) {
            values.add(what + " " + value);
        }
    }

    private static <T> String some(List<T> all, java.util.function.Function<T, String> words) {
        if (all == null) {
            return null;
        }
        String first = all.stream().limit(NAMED).map(words).collect(Collectors.joining(" + "));
        return all.isEmpty() ? "none" : all.size() <= NAMED ? first : first + " and " + (all.size() - NAMED) + " more";
    }

    private static String window(MaintenanceWindow window) {
        String days = window.days().stream()
                .map(day -> day.name().substring(0, 3).toLowerCase(Locale.ROOT))
                .collect(Collectors.joining("/"));
        return days + " " + window.start() + " for " + time(window.length()) + " " + window.zone();
    }

    private static String blackout(Blackout blackout) {
        return blackout.range() + " " + blackout.zone();
    }

    private static String allowance(PostponementLimit allowance) {
        if (allowance == null) {
            return null;
        }
        return allowance.times() == 0 ? "never" : allowance.times() + " times by " + time(allowance.total());
    }

    /** As people write it: 15m, 1h30m. */
    private static String time(Duration duration) {
        return duration.toString().substring(2).toLowerCase(Locale.ROOT);
    }
}
