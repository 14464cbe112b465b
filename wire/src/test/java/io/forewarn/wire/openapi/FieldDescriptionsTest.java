package io.forewarn.wire.openapi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.forewarn.wire.JavadocReader;
import io.forewarn.wire.control.ErrorBody;
import io.forewarn.wire.control.Json;
import io.forewarn.wire.control.Route;
import io.forewarn.wire.guest.GuestRoute;
import java.io.IOException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Prints what the bodies' Javadoc says into the file that the running program reads. */
final class FieldDescriptionsTest {
    private static final Path FILE =
            Path.of("src/main/resources/io/forewarn/wire/openapi").resolve(FieldDescriptions.FILE);

    @Test
    void theFileSaysWhatTheJavadocSays() throws IOException {
        StringBuilder meanings =
                new StringBuilder("# Printed from the Javadoc of the bodies by FieldDescriptionsTest; do not edit.\n");
        for (Class<?> type : bodies()) {
            line(meanings, Schemas.name(type), JavadocReader.of(type));
            for (RecordComponent component : type.getRecordComponents()) {
                line(
                        meanings,
                        Schemas.name(type) + "." + component.getName(),
                        JavadocReader.of(type, component.getName()));
            }
        }
        if (Boolean.getBoolean("docs.update")) {
            Files.createDirectories(FILE.getParent());
            Files.writeString(FILE, meanings);
        }
        assertEquals(
                meanings.toString(),
                Files.exists(FILE) ? Files.readString(FILE) : "",
                "the file is stale: run this test with -Ddocs.update=true");
    }

    @Test
    void everyBodyIsExplained() throws IOException {
        for (Class<?> type : bodies()) {
            assertTrue(!JavadocReader.of(type).isEmpty(), type.getName());
        }
    }

    @Test
    void everyRowOfTheShapesIsAPropertyOfABody() throws IOException {
        Set<String> unknown = new TreeSet<>(SchemaFormats.properties());
        JsonNode schemas = Json.mapper().readTree(OpenApi.document()).at("/components/schemas");
        schemas.properties().forEach(schema -> schema.getValue()
                .path("properties")
                .properties()
                .forEach(property -> unknown.remove(schema.getKey() + "." + property.getKey())));
        assertEquals(Set.of(), unknown, "rows of SchemaFormats that no body has");
    }

    private static void line(StringBuilder meanings, String name, String meaning) {
        if (!meaning.isEmpty()) {
            meanings.append(name)
                    .append('=')
                    .append(meaning.replace("\\", "\\\\"))
                    .append('\n');
        }
    }

    private static List<Class<?>> bodies() {
        List<Class<?>> all = new ArrayList<>();
        collect(ErrorBody.class, all);
        for (Route route : Route.values()) {
            route.body().ifPresent(body -> collect(body, all));
            route.answer().ifPresent(answer -> collect(answer, all));
        }
        for (GuestRoute route : GuestRoute.values()) {
            route.body().ifPresent(body -> collect(body, all));
            route.answer().ifPresent(answer -> collect(answer, all));
        }
        all.sort(Comparator.comparing(Schemas::name));
        return all;
    }

    private static void collect(Type type, List<Class<?>> all) {
        if (type instanceof ParameterizedType many) {
            for (Type part : many.getActualTypeArguments()) {
                collect(part, all);
            }
        } else if (type instanceof Class<?> one && one.isRecord() && !all.contains(one)) {
            all.add(one);
            for (RecordComponent component : one.getRecordComponents()) {
                collect(component.getGenericType(), all);
            }
        }
    }
}
