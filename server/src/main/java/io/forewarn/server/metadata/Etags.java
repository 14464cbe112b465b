package io.forewarn.server.metadata;

/** Parses {@code If-None-Match}: quoted, bare or weak, alone or in a list, or {@code *}: contract §2. */
final class Etags {
    private Etags() {}

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
        String number = strong.replace("\"", "");
        return number.matches("\\d{1,18}") && Long.parseLong(number) > incarnation;
    }
}
