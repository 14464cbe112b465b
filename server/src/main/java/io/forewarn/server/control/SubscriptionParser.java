package io.forewarn.server.control;

import io.forewarn.core.NameRules;
import io.forewarn.core.Problem;
import io.forewarn.core.RefusedException;
import io.forewarn.core.notification.NotificationType;
import io.forewarn.wire.control.EnumNames;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Parses the notification types of a subscription. */
final class SubscriptionParser {
    private static final String ALL = "all";

    private SubscriptionParser() {}

    /** @param words null or empty for the default */
    static Set<NotificationType> read(Collection<String> words) {
        if (words == null || words.isEmpty()) {
            return NotificationType.usual();
        }
        Set<NotificationType> news = EnumSet.noneOf(NotificationType.class);
        for (String word : words) {
            if (word.equals(ALL)) {
                return EnumSet.allOf(NotificationType.class);
            }
            news.add(EnumNames.parse(NotificationType.class, word.strip()).orElseThrow(() -> unknown(word)));
        }
        return news;
    }

    private static RefusedException unknown(String word) {
        String hint = NameRules.nearest(word, EnumNames.all(NotificationType.class))
                .map(n -> "did you mean '" + n + "'?")
                .orElseGet(SubscriptionParser::known);
        return new RefusedException(Problem.BAD_INPUT, "unknown notification type '" + word + "'; " + hint);
    }

    /** All kinds, grouped by subject. */
    private static String known() {
        Map<String, List<String>> words = new LinkedHashMap<>();
        for (NotificationType type : NotificationType.values()) {
            String about = type.dotted().replaceFirst("\\..*", "");
            words.computeIfAbsent(about, a -> new ArrayList<>()).add(EnumNames.of(type));
        }
        return words.entrySet().stream()
                .map(group -> group.getKey() + ": " + String.join(", ", group.getValue()))
                .collect(Collectors.joining("; ", "known kinds are, by subject, ", "; and all for every kind"));
    }
}
