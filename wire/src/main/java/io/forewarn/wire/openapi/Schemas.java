package io.forewarn.wire.openapi;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Generates JSON schemas from the body records. */
final class Schemas {
    private final Map<String, Object> all = new TreeMap<>();

    /** The requested schemas and those they refer to, by name. */
    Map<String, Object> all() {
        return all;
    }

    static String name(Class<?> type) {
        return type.getSimpleName().replace("Body", "");
    }

    Map<String, Object> reference(Class<?> type) {
        String name = name(type);
        if (!all.containsKey(name)) {
            all.put(name, Map.of());
            all.put(name, object(type, name));
        }
        return ordered("$ref", "#/components/schemas/" + name);
    }

    private Map<String, Object> object(Class<?> type, String name) {
        Map<String, Object> properties = new LinkedHashMap<>();
        List<String> required = new ArrayList<>();
        for (RecordComponent component : type.getRecordComponents()) {
            String path = name + "." + component.getName();
            Map<String, Object> property = schema(component.getGenericType(), path);
            FieldDescriptions.of(path).ifPresent(meaning -> property.put("description", meaning));
            properties.put(component.getName(), property);
            if (component.getType().isPrimitive() || SchemaFormats.always(path)) {
                required.add(component.getName());
            }
        }
        Map<String, Object> object = ordered("type", "object");
        FieldDescriptions.of(name).ifPresent(meaning -> object.put("description", meaning));
        object.put("properties", properties);
        if (!required.isEmpty()) {
            object.put("required", required);
        }
        return object;
    }

    private Map<String, Object> schema(Type type, String path) {
        if (type instanceof ParameterizedType many) {
            Type[] arguments = many.getActualTypeArguments();
            Map<String, Object> item = schema(arguments[arguments.length - 1], path);
            return many.getRawType() == List.class
                    ? ordered("type", "array", "items", item)
                    : ordered("type", "object", "additionalProperties", item);
        }
        if (type instanceof Class<?> one && one.isRecord()) {
            return reference(one);
        }
        if (type == String.class) {
            return SchemaFormats.of(path);
        }
        if (type == boolean.class || type == Boolean.class) {
            return ordered("type", "boolean");
        }
        return ordered("type", "integer", "format", type == long.class || type == Long.class ? "int64" : "int32");
    }

    static Map<String, Object> ordered(Object... pairs) {
        Map<String, Object> map = new LinkedHashMap<>();
        for (int i = 0; i < pairs.length; i += 2) {
            map.put((String) pairs[i], pairs[i + 1]);
        }
        return map;
    }
}
