package io.forewarn.server.settings;

import io.forewarn.wire.control.Durations;
import io.forewarn.wire.control.EnumNames;
import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;

/**
 * Describes one setting.
 *
 * @param path dotted, such as {@code terms.notice.reboot}
 * @param owner the record it is a component of
 * @param usual its default
 */
record SettingKey(String path, Class<?> owner, RecordComponent component, Object usual) {
    /** All keys of a record and its nested records, in declaration order. */
    static List<SettingKey> of(Record defaults) {
        List<SettingKey> keys = new ArrayList<>();
        collect("", defaults, keys);
        return keys;
    }

    private static void collect(String prefix, Record part, List<SettingKey> keys) {
        for (RecordComponent component : part.getClass().getRecordComponents()) {
            String path = prefix + EnumNames.kebab(component.getName());
            Object value = SettingsBinder.valueOf(component, part);
            if (value instanceof Record inner && SettingsBinder.isPart(inner)) {
                collect(SettingsBinder.below(prefix, path, inner), inner, keys);
            } else {
                keys.add(new SettingKey(path, part.getClass(), component, value));
            }
        }
    }

    /** The name of a setting in the environment. */
    static String variable(String path) {
        return "FOREWARN_" + path.toUpperCase(Locale.ROOT).replace('.', '_').replace('-', '_');
    }

    boolean secret() {
        return path.contains("secret");
    }

    static String print(Object value) {
        if (value instanceof Duration duration) {
            return Durations.print(duration);
        }
        if (value instanceof Enum<?> constant) {
            return EnumNames.of(constant);
        }
        if (value instanceof Collection<?> list) {
            return String.join(",", list.stream().map(Object::toString).toList());
        }
        return value == null ? "" : value.toString();
    }
}
