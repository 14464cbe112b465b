package io.forewarn.records;

import java.util.Map;
import java.util.stream.Collectors;

/** Maps names of history entries to their stored spelling. The log keeps the first spelling of each for good. */
final class StoredStepNames {
    private static final Map<String, String> STORED = Map.of(
            "SCHEDULED", "ANNOUNCED",
            "SCHEDULED_AFTER_WAITING", "ANNOUNCED_AFTER_WAITING",
            "SCHEDULED_AFTER_PLANNING", "ANNOUNCED_AFTER_PLANNING",
            "SUBSCRIPTION_ADDED", "RECIPIENT_ADDED",
            "SUBSCRIPTION_REMOVED", "RECIPIENT_REMOVED",
            "DELIVERIES_RESENT", "LETTERS_RESENT",
            "CANCELLED_UNSEEN", "CALLED_OFF_UNSEEN");
    private static final Map<String, String> NAMES =
            STORED.entrySet().stream().collect(Collectors.toUnmodifiableMap(Map.Entry::getValue, Map.Entry::getKey));

    private StoredStepNames() {}

    static String stored(String name) {
        return STORED.getOrDefault(name, name);
    }

    static String name(String stored) {
        return NAMES.getOrDefault(stored, stored);
    }
}
