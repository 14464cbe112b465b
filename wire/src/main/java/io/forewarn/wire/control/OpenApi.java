package io.forewarn.wire.control;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The route table in the OpenAPI language, for programs that make clients. */
public final class OpenApi {
    private static final Pattern PART = Pattern.compile("\\{(\\w+)}");

    private final Map<String, Object> schemas = new TreeMap<>();

    private OpenApi() {}

    public static byte[] document() {
        return Json.write(new OpenApi().whole());
    }

    private Map<String, Object> whole() {
        Map<String, Map<String, Object>> paths = new LinkedHashMap<>();
        for (Route route : Route.values()) {
            paths.computeIfAbsent(route.template(), path -> new LinkedHashMap<>())
                    .put(route.method().toLowerCase(Locale.ROOT), operation(route));
        }
        Map<String, Object> bearer = Map.of("type", "http", "scheme", "bearer");
        return ordered(
                "openapi", "3.0.3",
                "info", ordered("title", "Forewarn control API", "version", Version.text()),
                "security", List.of(Map.of("token", List.of())),
                "paths", paths,
                "components", ordered("securitySchemes", Map.of("token", bearer), "schemas", schemas));
    }

    private Map<String, Object> operation(Route route) {
        Map<String, Object> operation = ordered("operationId", Words.of(route), "summary", route.summary());
        if (route.open()) {
            operation.put("security", List.of());
        }
        List<Object> parameters = new ArrayList<>();
        Matcher part = PART.matcher(route.template());
        while (part.find()) {
            parameters.add(parameter(part.group(1), "path", true));
        }
        route.query().forEach(name -> parameters.add(parameter(name, "query", false)));
        if (!parameters.isEmpty()) {
            operation.put("parameters", parameters);
        }
        route.body().ifPresent(body -> operation.put("requestBody", Map.of("content", json(schema(body)))));
        Map<String, Object> done = ordered("description", "Done.");
        route.answer().ifPresent(answer -> done.put("content", json(answer(route, answer))));
        Map<String, Object> refused = ordered("description", "Not done.", "content", json(schema(ErrorBody.class)));
        operation.put("responses", ordered("200", done, "default", refused));
        return operation;
    }

    private Map<String, Object> answer(Route route, Class<?> item) {
        Map<String, Object> one = schema(item);
        return route.list()
                .map(name -> object(Map.of(name, ordered("type", "array", "items", one))))
                .orElse(one);
    }

    private static Map<String, Object> parameter(String name, String in, boolean required) {
        return ordered("name", name, "in", in, "required", required, "schema", Map.of("type", "string"));
    }

    private static Map<String, Object> json(Map<String, Object> schema) {
        return Map.of("application/json", Map.of("schema", schema));
    }

    private static Map<String, Object> object(Map<String, Object> properties) {
        return ordered("type", "object", "properties", properties);
    }

    private Map<String, Object> schema(Type type) {
        if (type instanceof ParameterizedType many) {
            Type[] arguments = many.getActualTypeArguments();
            Map<String, Object> item = schema(arguments[arguments.length - 1]);
            return many.getRawType() == List.class
                    ? ordered("type", "array", "items", item)
                    : ordered("type", "object", "additionalProperties", item);
        }
        if (type instanceof Class<?> one && one.isRecord()) {
            return reference(one);
        }
        if (type == String.class) {
            return ordered("type", "string");
        }
        return ordered("type", type == boolean.class || type == Boolean.class ? "boolean" : "integer");
    }

    private Map<String, Object> reference(Class<?> type) {
        String name = type.getSimpleName().replace("Body", "");
        if (schemas.putIfAbsent(name, Map.of()) == null) {
            Map<String, Object> properties = new LinkedHashMap<>();
            for (RecordComponent component : type.getRecordComponents()) {
                properties.put(component.getName(), schema(component.getGenericType()));
            }
            schemas.put(name, object(properties));
        }
        return ordered("$ref", "#/components/schemas/" + name);
    }

    private static Map<String, Object> ordered(Object... pairs) {
        Map<String, Object> map = new LinkedHashMap<>();
        for (int i = 0; i < pairs.length; i += 2) {
            map.put((String) pairs[i], pairs[i + 1]);
        }
        return map;
    }
}
