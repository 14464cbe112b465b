package io.forewarn.cli;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/** Prints one object as lines of name and value, without unknown values. */
final class PropertyList {
    private final List<String[]> facts = new ArrayList<>();

    PropertyList with(String name, Object value) {
        String text = text(value);
        if (!text.isEmpty()) {
            facts.add(new String[] {name, ControlCharacters.line(text)});
        }
        return this;
    }

    void print(PrintWriter out) {
        int width = facts.stream().mapToInt(f -> f[0].length()).max().orElse(0);
        facts.forEach(f -> out.println(f[0] + " ".repeat(width - f[0].length() + 2) + f[1]));
    }

    private static String text(Object value) {
        if (value == null) {
            return "";
        }
        if (value instanceof Collection<?> many) {
            return String.join(", ", many.stream().map(Object::toString).toList());
        }
        if (value instanceof Map<?, ?> pairs) {
            return String.join(
                    ", ",
                    pairs.entrySet().stream()
                            .map(e -> e.getKey() + "=" + e.getValue())
                            .toList());
        }
        return value.toString();
    }
}
