package io.forewarn.server.settings;

import io.forewarn.wire.control.ValidationProblems;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Maps the names that settings had before 0.1.0 to the current ones. They keep working, undocumented. */
final class FormerSettings {
    /** Former name, then the current one; sections, which end with a dot, before the keys in them. */
    private static final String TABLE = """
            impact.driver                     driver.kind
            impact.                           driver.
            notices.                          notifications.
            metadata.place.                   metadata.instance.
            listen.control-connections        listen.control-connections-per-source
            listen.control-names              listen.control-host-names
            fleet.file-bytes                  fleet.max-file-bytes
            tenants.mails                     tenants.mail-subscriptions
            tenants.longest-notice            tenants.max-notice
            tenants.longest-hold              tenants.max-hold
            tenants.file-bytes                tenants.max-file-bytes
            terms.longest-terminate-notice    terms.max-terminate-notice
            terms.silence                     terms.disable-after
            metadata.held-per-machine         metadata.long-polls-per-machine
            metadata.body-bytes               metadata.max-body-bytes
            metadata.header-bytes             metadata.max-header-bytes
            metadata.line-bytes               metadata.max-request-line-bytes
            metadata.longest-wait             metadata.max-wait
            metadata.catch-up                 metadata.catch-up-timeout
            metadata.patience                 metadata.client-timeout
            metadata.idle                     metadata.idle-timeout
            metadata.loops                    metadata.event-loops
            identity.signature-age            identity.max-signature-age
            driver.command.time-limit         driver.command.timeout
            driver.command.status-time-limit  driver.command.status-timeout
            driver.command.status-every       driver.command.status-interval
            notifications.time-limit          notifications.timeout
            notifications.tries               notifications.max-attempts
            notifications.first-pause         notifications.initial-retry-delay
            notifications.longest-pause       notifications.max-retry-delay
            """;

    private static final Map<String, String> NAMES = names();

    private FormerSettings() {}

    private static Map<String, String> names() {
        Map<String, String> names = new LinkedHashMap<>();
        TABLE.lines().map(line -> line.split(" +")).forEach(row -> names.put(row[0], row[1]));
        return names;
    }

    /** The current name of a key. */
    static String current(String path) {
        String current = path;
        for (Map.Entry<String, String> name : NAMES.entrySet()) {
            current = replaced(current, name.getKey(), name.getValue()).orElse(current);
        }
        return current;
    }

    /** The former names of a key. */
    static List<String> former(String path) {
        List<String> former = new ArrayList<>();
        NAMES.forEach((before, now) -> replaced(path, now, before).ifPresent(name -> {
            former.add(name);
            // A key that was renamed in a section that was renamed before.
            former.addAll(former(name));
        }));
        return former;
    }

    private static Optional<String> replaced(String path, String name, String other) {
        boolean same = name.endsWith(".") ? path.startsWith(name) : path.equals(name);
        return same ? Optional.of(other + path.substring(name.length())) : Optional.empty();
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
