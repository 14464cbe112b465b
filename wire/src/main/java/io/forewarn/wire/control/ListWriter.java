package io.forewarn.wire.control;

import io.forewarn.core.Problem;
import io.forewarn.core.RefusedException;
import java.util.Locale;
import java.util.Optional;

/** Selects the format of a long list. */
public enum ListWriter {
    /** One JSON object with the list in it. */
    JSON("application/json; charset=utf-8"),
    /** One JSON object per line. */
    JSONL("application/jsonl; charset=utf-8"),
    /** A header line, then one line per item. */
    CSV(Csv.TYPE);

    private final String type;

    ListWriter(String type) {
        this.type = type;
    }

    public String type() {
        return type;
    }

    /**
     * The requested format, by name or else by an Accept header; default: JSON.
     *
     * @param name json, jsonl or csv; null if not given
     * @param accept null if not given
     */
    public static ListWriter of(String name, String accept) {
        if (name != null) {
            return EnumNames.parse(ListWriter.class, name)
                    .orElseThrow(() -> new RefusedException(
                            Problem.BAD_INPUT,
                            "format must be " + EnumNames.either(EnumNames.all(ListWriter.class)) + ", not '" + name
                                    + "'"));
        }
        ListWriter best = JSON;
        double weight = 0;
        for (String range : accept == null ? new String[0] : accept.split(",")) {
            String[] parts = range.split(";");
            double given = quality(parts);
            Optional<ListWriter> known = ofType(parts[0].strip().toLowerCase(Locale.ROOT));
            if (known.isPresent() && given > weight) {
                best = known.get();
                weight = given;
            }
        }
        return best;
    }

    private static Optional<ListWriter> ofType(String type) {
        return switch (type) {
            case "application/json", "application/*", "*/*" -> Optional.of(JSON);
            case "application/jsonl", "application/x-ndjson", "application/jsonlines", "application/x-jsonlines" ->
                Optional.of(JSONL);
            case "text/csv", "text/*" -> Optional.of(CSV);
            default -> Optional.empty();
        };
    }

    private static double quality(String[] parts) {
        for (int i = 1; i < parts.length; i++) {
            String part = parts[i].strip();
            if (part.startsWith("q=")) {
                try {
                    return Double.parseDouble(part.substring(2));
                } catch (NumberFormatException none) {
                    return 0;
                }
            }
        }
        return 1;
    }
}
