package io.forewarn.server.metadata;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Parses {@code Prefer: wait=60} (RFC 7240), among other preferences or alone. */
final class PreferHeader {
    private static final Pattern WAIT =
            Pattern.compile("\\s*wait\\s*=\\s*\"?(\\d{1,9})\"?\\s*(;.*)?", Pattern.CASE_INSENSITIVE);

    private PreferHeader() {}

    /** Seconds to wait; 0 if absent. */
    static int wait(List<String> headers) {
        for (String header : headers) {
            for (String preference : header.split(",")) {
                Matcher wait = WAIT.matcher(preference);
                if (wait.matches()) {
                    return Integer.parseInt(wait.group(1));
                }
            }
        }
        return 0;
    }
}
