package io.forewarn.wire.control;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Converts enum constants to the names that people type: {@code AVAILABILITY_SET} is {@code availability-set}. */
public final class EnumNames {
    private EnumNames() {}

    public static String of(Enum<?> constant) {
        return of(constant.name());
    }

    public static String of(String constant) {
        return constant.toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** {@code updateDomain} is {@code update-domain}. */
    public static String kebab(String camel) {
        StringBuilder kebab = new StringBuilder();
        for (char c : camel.toCharArray()) {
            if (Character.isUpperCase(c)) {
                kebab.append('-').append(Character.toLowerCase(c));
            } else {
                kebab.append(c);
            }
        }
        return kebab.toString();
    }

    public static <E extends Enum<E>> Optional<E> parse(Class<E> type, String word) {
        return Arrays.stream(type.getEnumConstants())
                .filter(c -> of(c).equals(word.toLowerCase(Locale.ROOT)))
                .findFirst();
    }

    public static List<String> all(Class<? extends Enum<?>> type) {
        return Arrays.stream(type.getEnumConstants()).map(EnumNames::of).toList();
    }

    /** {@code a, b or c}. */
    public static String either(List<String> words) {
        int last = words.size() - 1;
        return last < 1 ? String.join("", words) : String.join(", ", words.subList(0, last)) + " or " + words.get(last);
    }
}
