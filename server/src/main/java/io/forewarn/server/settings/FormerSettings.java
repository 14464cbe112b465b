package io.forewarn.server.settings;

import io.forewarn.wire.control.ValidationProblems;
import java.util.LinkedHashMap;
import java.util.Map;

/** Maps the names that settings had before 0.1.0 to the current ones. They keep working, undocumented. */
final class FormerSettings {
    /** Former key prefixes and their current ones, the longest first. */
    private static final Map<String, String> NAMES = names();

    private FormerSettings() {}

    private static Map<String, String> names() {
        Map<String, String> names = new LinkedHashMap<>();
        names.put("impact.driver", "driver.kind");
        names.put("impact.", "driver.");
        names.put("notices.", "notifications.");
        return names;
    }

    /** The current name of a key. */
    static String current(String path) {
        return NAMES.entrySet().stream()
                .filter(name -> path.startsWith(name.getKey()))
                .map(name -> name.getValue() + path.substring(name.getKey().length()))
                .findFirst()
                .orElse(path);
    }

    /** The former name of a key; itself if it has none. */
    static String former(String path) {
        return NAMES.entrySet().stream()
                .filter(name -> path.startsWith(name.getValue()))
                .map(name -> name.getKey() + path.substring(name.getValue().length()))
                .findFirst()
                .orElse(path);
    }

    /**
     * The same values by their current names. Giving a setting under both names is a problem, because they may differ.
     */
    static Map<String, GivenValue> renamed(Map<String, GivenValue> given, ValidationProblems validationProblems) {
        Map<String, GivenValue> renamed = new LinkedHashMap<>();
        given.forEach((path, value) -> {
            String current = current(path);
            if (!current.equals(path) && given.containsKey(current)) {
                validationProblems.add(
                        value.line(),
                        "'" + path + "' is the former name of '" + current + "', which is given too; remove one");
            } else {
                renamed.put(current, value);
            }
        });
        return renamed;
    }
}
