package io.forewarn.wire.openapi;

import static io.forewarn.wire.openapi.Schemas.ordered;

import io.forewarn.core.Problem;
import io.forewarn.wire.ProblemStatus;
import io.forewarn.wire.control.EnumNames;
import io.forewarn.wire.control.ErrorBody;
import io.forewarn.wire.control.Json;
import io.forewarn.wire.control.ListWriter;
import io.forewarn.wire.control.Route;
import io.forewarn.wire.control.RouteAccess;
import io.forewarn.wire.control.Version;
import io.forewarn.wire.guest.GuestRoute;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Describes the requests of people and machines in OpenAPI, for generators of clients and documentation. */
public final class OpenApi {
    private static final String JSON = "application/json";
    private static final Pattern PART = Pattern.compile("\\{(\\w+)}");

    private static final String ABOUT = """
            Forewarn tells machines what maintenance is coming, in time to prepare, and lets them say "go ahead".

            Paths that begin with `/v1` are for people and their programs and need a token; each operation states the minimum role. \
            Paths that begin with `/forewarn/v1` are for machines: they are on the metadata endpoint, which identifies a machine by its \
            address, and need the header `Metadata: true`.

            Times are in ISO 8601. Durations have units and may be sums, such as `9m59s`. Answers omit members that have no value. A newer server \
            may send members that are not described here.""";

    private final Schemas schemas = new Schemas();

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
        for (GuestRoute route : GuestRoute.values()) {
            paths.computeIfAbsent(route.template(), path -> guests())
                    .put(route.method().toLowerCase(Locale.ROOT), operation(route));
        }
        Map<String, Object> responses = errors();
        Map<String, Object> bearer = ordered(
                "type", "http",
                "scheme", "bearer",
                "description", "A token: `forewarn token add NAME --role ROLE` makes one.");
        return ordered(
                "openapi", "3.1.0",
                "info",
                        ordered(
                                "title",
                                "Forewarn",
                                "version",
                                Version.text(),
                                "description",
                                ABOUT,
                                "license",
                                ordered("name", "Apache-2.0", "identifier", "Apache-2.0")),
                "servers", List.of(ordered("url", "/", "description", "The server that returned this document.")),
                "tags", tags(paths),
                "security", List.of(Map.of("token", List.of())),
                "paths", paths,
                "components",
                        ordered(
                                "securitySchemes",
                                Map.of("token", bearer),
                                "responses",
                                responses,
                                "schemas",
                                schemas.all()));
    }

    // For people

    private Map<String, Object> operation(Route route) {
        Map<String, Object> operation = ordered(
                "operationId", EnumNames.of(route),
                "summary", route.summary(),
                "description", "For " + route.access().who() + ".",
                "tags", List.of(tag(route.template())),
                "security", security(route.access()));
        List<Object> parameters = new ArrayList<>(parts(route.template()));
        for (String name : route.query()) {
            parameters.add(QueryParameter.of(route, name)
                    .map(QueryParameter::described)
                    .orElseGet(() -> ordered("name", name, "in", "query", "schema", ordered("type", "string"))));
        }
        if (route == Route.STREAM) {
            parameters.add(header(
                    "Last-Event-ID",
                    false,
                    ordered("type", "string"),
                    "The last id that was read; the stream continues after it. Browsers send it automatically."));
        }
        if (!route.method().equals("GET")) {
            parameters.add(
                    header(
                            "Idempotency-Key",
                            false,
                            ordered("type", "string", "minLength", 1, "maxLength", 128),
                            "A request repeated with the same key within a day gets the same answer and is not carried out again."));
        }
        if (!parameters.isEmpty()) {
            operation.put("parameters", parameters);
        }
        body(route).ifPresent(body -> operation.put("requestBody", body));
        Map<String, Object> responses = ordered("200", done(route));
        if (route == Route.READY) {
            // Plain text, unlike other errors: health checks use only the status.
            Map<String, Object> text = ordered("text/plain", ordered("schema", ordered("type", "string")));
            responses.put("503", ordered("description", "Not ready.", "content", text));
        }
        statuses(route)
                .forEach(status -> responses.put(
                        String.valueOf(status), ordered("$ref", "#/components/responses/" + name(status))));
        operation.put("responses", responses);
        return operation;
    }

    private static List<Object> security(RouteAccess routeAccess) {
        return routeAccess == RouteAccess.OPEN
                ? List.of()
                : List.of(Map.of("token", List.of(EnumNames.of(routeAccess))));
    }

    private Optional<Map<String, Object>> body(Route route) {
        if (route == Route.FLEET_APPLY) {
            Map<String, Object> text = ordered("schema", ordered("type", "string"));
            return Optional.of(ordered(
                    "description",
                    "A fleet file.",
                    "required",
                    true,
                    "content",
                    ordered("application/yaml", text, "application/jsonl", text)));
        }
        return route.body().map(body -> ordered("content", ordered(JSON, ordered("schema", schemas.reference(body)))));
    }

    private Map<String, Object> done(Route route) {
        Map<String, Object> text = ordered("schema", ordered("type", "string"));
        Map<String, Object> content = new LinkedHashMap<>();
        switch (route) {
            case HEALTH, READY, METRICS -> content.put("text/plain", text);
            case OPENAPI -> content.put(JSON, ordered("schema", ordered("type", "object")));
            case FLEET -> {
                content.put("application/yaml", text);
                content.put("application/jsonl", text);
            }
            case STREAM -> content.put("text/event-stream", text);
            case CALENDAR -> content.put("text/calendar", text);
            default ->
                content.put(
                        JSON,
                        ordered(
                                "schema",
                                route.answer()
                                        .map(answer -> answer(route, answer))
                                        .orElseThrow()));
        }
        if (route == Route.HISTORY || route == Route.REPORT_NOTICE || route == Route.AUDIT) {
            content.put(media(ListWriter.JSONL), text);
            content.put(media(ListWriter.CSV), text);
        }
        return ordered("description", "Done.", "content", content);
    }

    private static String media(ListWriter listWriter) {
        return listWriter.type().split(";")[0];
    }

    private Map<String, Object> answer(Route route, Class<?> item) {
        Map<String, Object> one = schemas.reference(item);
        return route.list().map(list -> list(route, list, one)).orElse(one);
    }

    private Map<String, Object> list(Route route, String list, Map<String, Object> one) {
        Map<String, Object> properties = ordered(list, ordered("type", "array", "items", one));
        if (route == Route.HISTORY) {
            properties.put(
                    "next",
                    ordered("type", "string", "description", "Where to continue, as `after`, if there may be more."));
            Map<String, Object> time = SchemaFormats.named(SchemaFormats.TIME);
            time.put("description", "How far the search got, if there may be more.");
            properties.put("searchedTo", time);
        }
        String name = camel(list) + "List";
        schemas.all().put(name, ordered("type", "object", "properties", properties, "required", List.of(list)));
        return ordered("$ref", "#/components/schemas/" + name);
    }

    // For machines

    private static Map<String, Object> guests() {
        Map<String, Object> path = new LinkedHashMap<>();
        path.put(
                "servers",
                List.of(ordered(
                        "url", "http://169.254.169.254", "description", "The metadata endpoint of a machine.")));
        return path;
    }

    private Map<String, Object> operation(GuestRoute route) {
        Map<String, Object> operation = ordered(
                "operationId", "guest-" + EnumNames.of(route),
                "summary", route.summary(),
                "description", "For a machine, about its own group.",
                "tags", List.of("guest"),
                "security", List.of());
        List<Object> parameters = new ArrayList<>(parts(route.template()));
        parameters.add(header(
                "Metadata",
                true,
                ordered("type", "string", "enum", List.of("true")),
                "Shows that the request was meant for this endpoint."));
        operation.put("parameters", parameters);
        route.body()
                .ifPresent(body -> operation.put(
                        "requestBody", ordered("content", ordered(JSON, ordered("schema", schemas.reference(body))))));
        Map<String, Object> schema = route.answer().map(schemas::reference).orElseGet(() -> ordered("type", "object"));
        Map<String, Object> responses =
                ordered("200", ordered("description", "Done.", "content", ordered(JSON, ordered("schema", schema))));
        for (int status : new int[] {400, 403, 404, 409, 429, 503}) {
            responses.put(String.valueOf(status), ordered("$ref", "#/components/responses/GuestRefused"));
        }
        operation.put("responses", responses);
        return operation;
    }

    // Shared by both

    private static List<Object> parts(String template) {
        List<Object> parts = new ArrayList<>();
        Matcher part = PART.matcher(template);
        while (part.find()) {
            String name = part.group(1);
            Map<String, Object> schema = SchemaFormats.named(
                    switch (name) {
                        case "id" -> template.contains("/events/") ? SchemaFormats.EVENT_ID : null;
                        case "action" -> "action";
                        default -> null;
                    });
            parts.add(ordered(
                    "name",
                    name,
                    "in",
                    "path",
                    "required",
                    true,
                    "description",
                    meaning(template, name),
                    "schema",
                    schema));
        }
        return parts;
    }

    private static String meaning(String template, String part) {
        return switch (part) {
            case "id" -> "Its id.";
            case "action" -> "The operation.";
            default -> {
                String kind = template.split("/")[2].replaceAll("(ie)?s$", "").replace('-', ' ');
                yield "The name of the " + kind + "; `tenant/name` names another tenant's.";
            }
        };
    }

    private static Map<String, Object> header(
            String name, boolean required, Map<String, Object> schema, String meaning) {
        return ordered("name", name, "in", "header", "required", required, "description", meaning, "schema", schema);
    }

    private static List<Integer> statuses(Route route) {
        TreeSet<Integer> statuses = new TreeSet<>();
        if (route == Route.READY) {
            return List.of();
        }
        if (route.access() != RouteAccess.OPEN) {
            statuses.addAll(List.of(400, 401, 403, 503));
            if (route.template().contains("{")
                    || !route.query().isEmpty()
                    || !route.method().equals("GET")) {
                statuses.add(404);
            }
            if (!route.method().equals("GET")) {
                statuses.addAll(List.of(409, 413, 429));
            }
        }
        return List.copyOf(statuses);
    }

    private static String name(int status) {
        return Arrays.stream(Problem.values())
                .filter(p -> ProblemStatus.of(p) == status)
                .map(p -> camel(EnumNames.of(p)))
                .findFirst()
                .orElseThrow();
    }

    private static String camel(String words) {
        return Arrays.stream(words.split("-"))
                .map(w -> w.substring(0, 1).toUpperCase(Locale.ROOT) + w.substring(1))
                .collect(Collectors.joining());
    }

    private Map<String, Object> errors() {
        Map<Integer, List<String>> problems = new TreeMap<>();
        for (Problem problem : Problem.values()) {
            problems.computeIfAbsent(ProblemStatus.of(problem), s -> new ArrayList<>())
                    .add(EnumNames.of(problem));
        }
        Map<String, Object> responses = new LinkedHashMap<>();
        problems.forEach((status, words) -> {
            Map<String, Object> response = ordered("description", "Not done: " + EnumNames.either(words) + ".");
            if (status == 503) {
                response.put(
                        "headers",
                        ordered(
                                "Retry-After",
                                ordered(
                                        "description",
                                        "Seconds to wait before trying again.",
                                        "schema",
                                        ordered("type", "integer"))));
            }
            response.put("content", ordered(JSON, ordered("schema", schemas.reference(ErrorBody.class))));
            responses.put(name(status), response);
        });
        responses.put(
                "GuestRefused",
                ordered(
                        "description",
                        "Not done.",
                        "content",
                        ordered(
                                JSON,
                                ordered(
                                        "schema",
                                        ordered(
                                                "type", "object",
                                                "properties",
                                                        ordered(
                                                                "error",
                                                                ordered(
                                                                        "type", "string",
                                                                        "description",
                                                                                "What was wrong and what would be right.")),
                                                "required", List.of("error"))))));
        return responses;
    }

    private static String tag(String template) {
        String[] segments = template.split("/");
        return segments.length > 2 && segments[1].equals("v1") && !segments[2].contains(".") ? segments[2] : "service";
    }

    private static List<Object> tags(Map<String, Map<String, Object>> paths) {
        return paths.keySet().stream()
                .map(path -> path.startsWith("/forewarn/") ? "guest" : tag(path))
                .distinct()
                .<Object>map(tag -> ordered("name", tag))
                .toList();
    }
}
