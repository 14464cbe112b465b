package io.forewarn.server.metadata;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.forewarn.core.engine.EventsDocument;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The {@code ETag} of a document: its incarnation and whose it is, because documents of two groups may have the same incarnation.
 * Parses {@code If-None-Match}: quoted, bare or weak, alone or in a list, or {@code *}: contract §2.
 */
final class Etags {
    private static final Pattern NUMBER = Pattern.compile("\"?(\\d{1,18})([-\"].*)?");
    private static final int DIGITS = 8;

    private Etags() {}

    /** With its quotes. */
    static String of(EventsDocument document) {
        UUID group = UUID.nameUUIDFromBytes(document.group().toString().getBytes(UTF_8));
        return '"'
                + Long.toString(document.incarnation())
                + '-'
                + group.toString().substring(0, DIGITS)
                + '"';
    }

    static boolean match(String header, String etag) {
        if (header.equals(etag)) {
            return true;
        }
        int from = 0;
        while (from <= header.length()) {
            int comma = header.indexOf(',', from);
            int to = comma < 0 ? header.length() : comma;
            if (one(header.substring(from, to).strip(), etag)) {
                return true;
            }
            from = to + 1;
        }
        return false;
    }

    /** Whether the header matches any document, so that the caller need not have read this one. */
    static boolean isAny(String header) {
        return header.indexOf('*') >= 0;
    }

    private static boolean one(String tag, String etag) {
        if (tag.equals("*")) {
            return true;
        }
        String strong = tag.startsWith("W/") ? tag.substring(2) : tag;
        return strong.equals(etag) || !strong.isEmpty() && etag.equals('"' + strong + '"');
    }

    /** Whether a single tag belongs to a later document than this. */
    static boolean isLater(String header, long incarnation) {
        String tag = header.strip();
        String strong = tag.startsWith("W/") ? tag.substring(2) : tag;
        Matcher number = NUMBER.matcher(strong);
        return number.matches() && Long.parseLong(number.group(1)) > incarnation;
    }
}
