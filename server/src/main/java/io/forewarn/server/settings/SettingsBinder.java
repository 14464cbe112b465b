package io.forewarn.server.settings;

import io.forewarn.core.RefusedException;
import io.forewarn.server.metadata.MetadataSettings;
import io.forewarn.wire.control.Durations;
import io.forewarn.wire.control.EnumNames;
import io.forewarn.wire.control.HostPort;
import io.forewarn.wire.control.ValidationProblems;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneId;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Binds values to settings records: each component takes the value given for its key, or its default. A record's own
 * checks run when it is created; what they refuse is reported like any other problem.
 */
final class SettingsBinder {
    private static final Set<Class<?>> GROUPINGS =
            Set.of(MetadataSettings.Limits.class, MetadataSettings.Times.class, MetadataSettings.PreviewForm.class);

    private final Map<String, GivenValue> given;
    private final ValidationProblems validationProblems;

    SettingsBinder(Map<String, GivenValue> given, ValidationProblems validationProblems) {
        this.given = given;
        this.validationProblems = validationProblems;
    }

    <R extends Record> R bind(R defaults) {
        return bind("", defaults);
    }

    private <R extends Record> R bind(String prefix, R defaults) {
        RecordComponent[] components = defaults.getClass().getRecordComponents();
        Object[] values = new Object[components.length];
        for (int i = 0; i < components.length; i++) {
            String path = prefix + EnumNames.kebab(components[i].getName());
            Object usual = valueOf(components[i], defaults);
            if (usual instanceof Record inner && isPart(inner)) {
                values[i] = bind(below(prefix, path, inner), inner);
            } else {
                values[i] = value(path, components[i].getType(), usual);
            }
        }
        return make(prefix, defaults, components, values);
    }

    private Object value(String path, Class<?> type, Object usual) {
        GivenValue text = given.get(path);
        if (text == null) {
            return usual;
        }
        if (text.list() && type != List.class && type != Set.class) {
            validationProblems.add(text.line(), where(path, text) + " takes one value, not a list");
            return usual;
        }
        Optional<?> value = read(type, text);
        if (value.isEmpty()) {
            validationProblems.add(
                    text.line(),
                    type == HostPort.class && text.text().matches(".*:\\d{5,}")
                            ? where(path, text) + " is '" + text.text() + "'; the highest port is 65535"
                            : where(path, text) + " must be " + rule(type) + example(type) + ", not '" + text.text()
                                    + "'");
            return usual;
        }
        return value.get();
    }

    private static Optional<?> read(Class<?> type, GivenValue givenValue) {
        String text = givenValue.text();
        if (type == List.class || type == Set.class) {
            List<String> values = givenValue.list() ? givenValue.values() : split(text);
            return Optional.of(type == List.class ? values : Set.copyOf(values));
        }
        if (type == String.class) {
            return Optional.of(text);
        }
        if (type == Path.class) {
            return Optional.of(Path.of(text));
        }
        if (type == Duration.class) {
            return Durations.parse(text);
        }
        if (type == HostPort.class) {
            return HostPort.parse(text);
        }
        if (type == ZoneId.class) {
            return ZoneId.getAvailableZoneIds().contains(text) ? Optional.of(ZoneId.of(text)) : Optional.empty();
        }
        if (type == boolean.class) {
            return text.equals("true") || text.equals("false") ? Optional.of(text.equals("true")) : Optional.empty();
        }
        if (type == int.class) {
            return text.matches("\\d{1,9}") ? Optional.of(Integer.parseInt(text)) : Optional.empty();
        }
        if (type == long.class) {
            return text.matches("\\d{1,18}") ? Optional.of(Long.parseLong(text)) : Optional.empty();
        }
        if (type.isEnum()) {
            return Arrays.stream(type.getEnumConstants())
                    .filter(c -> EnumNames.of((Enum<?>) c).equals(text))
                    .findFirst();
        }
        throw new IllegalStateException("No rule for settings of type " + type.getName());
    }

    private static String example(Class<?> type) {
        return type == HostPort.class
                ? ", such as 127.0.0.1:9169"
                : type == ZoneId.class ? ", such as UTC or Europe/Berlin" : "";
    }

    static String rule(Class<?> type) {
        if (type == Duration.class) {
            return Durations.RULE;
        }
        if (type == HostPort.class) {
            return "HOST:PORT";
        }
        if (type == ZoneId.class) {
            return "a time zone";
        }
        if (type == boolean.class) {
            return "true or false";
        }
        if (type == int.class || type == long.class) {
            return "a whole number, 0 or more";
        }
        if (type == List.class || type == Set.class) {
            return "a list";
        }
        if (type.isEnum()) {
            return EnumNames.either(Arrays.stream(type.getEnumConstants())
                    .map(c -> EnumNames.of((Enum<?>) c))
                    .toList());
        }
        return "a text";
    }

    @SuppressWarnings("unchecked") // The constructor belongs to the class of the defaults.
    private <R extends Record> R make(String prefix, R defaults, RecordComponent[] components, Object[] values) {
        try {
            Class<?>[] types =
                    Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
            Constructor<?> constructor = defaults.getClass().getDeclaredConstructor(types);
            constructor.setAccessible(true);
            return (R) constructor.newInstance(values);
        } catch (InvocationTargetException refused) {
            if (refused.getCause() instanceof RefusedException
                    || refused.getCause() instanceof IllegalArgumentException) {
                GivenValue first = firstOf(prefix);
                validationProblems.add(
                        first == null ? 0 : first.line(),
                        part(prefix) + refused.getCause().getMessage());
                return defaults;
            }
            throw new IllegalStateException(refused.getCause());
        } catch (ReflectiveOperationException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private GivenValue firstOf(String prefix) {
        return given.entrySet().stream()
                .filter(e -> e.getKey().startsWith(prefix))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElse(null);
    }

    private static String part(String prefix) {
        return prefix.isEmpty() ? "" : prefix.substring(0, prefix.length() - 1) + ": ";
    }

    private static String where(String path, GivenValue givenValue) {
        return givenValue.line() > 0 ? "'" + path + "'" : "'" + path + "' (" + givenValue.origin() + ")";
    }

    private static List<String> split(String text) {
        return text.isBlank()
                ? List.of()
                : Arrays.stream(text.split(",")).map(String::strip).toList();
    }

    /** Whether a record is a section with keys, rather than a single value. */
    static boolean isPart(Record record) {
        return !(record instanceof HostPort);
    }

    /** The key prefix of a nested record. Some records only group keys of the enclosing section. */
    static String below(String prefix, String path, Record inner) {
        return GROUPINGS.contains(inner.getClass()) ? prefix : path + ".";
    }

    static Object valueOf(RecordComponent component, Record record) {
        try {
            component.getAccessor().setAccessible(true);
            return component.getAccessor().invoke(record);
        } catch (ReflectiveOperationException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
