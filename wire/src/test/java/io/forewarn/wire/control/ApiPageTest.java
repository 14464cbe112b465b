package io.forewarn.wire.control;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.forewarn.core.Problem;
import io.forewarn.wire.JavadocReader;
import io.forewarn.wire.ProblemStatus;
import java.io.IOException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Prints {@code docs/api.md} from the route table and the records of its bodies. */
final class ApiPageTest {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

    @Test
    void thePageSaysWhatCanBeAsked() throws IOException {
        Path file = ROOT.resolve("docs/api.md");
        String page = page();
        if (Boolean.getBoolean("docs.update")) {
            Files.createDirectories(file.getParent());
            Files.writeString(file, page);
        }
        String written = Files.exists(file) ? Files.readString(file) : "";
        assertEquals(page, written, "docs/api.md is stale: run this test with -Ddocs.update=true");
    }

    private static String page() throws IOException {
        StringBuilder page = new StringBuilder("""
                # The control API

                Generated from the route table by `ApiPageTest`; do not edit. `docs/control.md` shows calls from curl and PowerShell.

                All requests except `/healthz` and `/readyz` need `Authorization: Bearer TOKEN`. `{name}` is the name of a machine, group or
                token; `tenant%2Fname` or `?tenant=` selects a tenant other than the token's. Lists are streamed as `{"machines":[…]}`; `?limit=` limits their length. A `POST`, `PUT` or `DELETE` may carry an `Idempotency-Key` of 1 to 128 characters: if you repeat a request with the same key within 24 hours, you get the same answer, and the request is not carried out again. A newly created secret is returned again for only an hour, and only by the process that created it; otherwise, the answer is 409 and says how to replace the secret. Times are in ISO 8601. Durations have units and may be sums, such as `9m59s`. JSON bodies may be up to 1 MiB, fleet files up to 1 GiB.

                `role` is the minimum role that a request needs, as explained in [access.md](access.md). A token gives access only to objects of its tenants.

                | request | role | query | body | answer | |
                |---|---|---|---|---|---|
                """);
        Set<Class<?>> records = new LinkedHashSet<>();
        for (Route route : Route.values()) {
            page.append("| `%s %s` | %s | %s | %s | %s | %s |\n"
                    .formatted(
                            route.method(),
                            route.template(),
                            EnumNames.of(route.access()),
                            String.join(
                                    ", ",
                                    route.query().stream()
                                            .map(q -> "`" + q + "`")
                                            .toList()),
                            route.body().map(ApiPageTest::link).orElse(""),
                            route.answer().map(ApiPageTest::link).orElse(""),
                            route.summary()));
            route.body().ifPresent(body -> collect(body, records));
            route.answer().ifPresent(answer -> collect(answer, records));
        }
        page.append(
                "\n## Errors\n\n`{\"error\":\"what was wrong and what would be right\",\"problem\":\"conflict\",\"details\":[…]}` is the form of every error. A request without a token gets 401, and one with a wrong method gets 405 with `Allow`; a 503 has `Retry-After`.\n\n| problem | status |\n|---|---|\n");
        for (Problem problem : Problem.values()) {
            page.append("| `%s` | %d |\n".formatted(EnumNames.of(problem), ProblemStatus.of(problem)));
        }
        page.append("\n## Bodies\n\nAnswers omit members that have no value.\n");
        for (Class<?> type : records) {
            page.append("\n### ").append(name(type)).append("\n\n");
            for (RecordComponent component : type.getRecordComponents()) {
                String meaning = JavadocReader.of(type, component.getName());
                page.append("- `%s` %s%s\n"
                        .formatted(
                                component.getName(),
                                kind(component.getGenericType()),
                                meaning.isEmpty() ? "" : ": " + meaning));
            }
        }
        return page.toString();
    }

    private static void collect(Class<?> type, Set<Class<?>> records) {
        if (!records.add(type)) {
            return;
        }
        for (RecordComponent component : type.getRecordComponents()) {
            for (Type part : parts(component.getGenericType())) {
                if (part instanceof Class<?> inner && inner.isRecord()) {
                    collect(inner, records);
                }
            }
        }
    }

    private static List<Type> parts(Type type) {
        List<Type> parts = new ArrayList<>(List.of(type));
        if (type instanceof ParameterizedType many) {
            parts.addAll(List.of(many.getActualTypeArguments()));
        }
        return parts;
    }

    private static String kind(Type type) {
        if (type instanceof ParameterizedType many) {
            Type last = many.getActualTypeArguments()[many.getActualTypeArguments().length - 1];
            return many.getRawType() == List.class ? "list of " + kind(last) : "object of " + kind(last);
        }
        if (type instanceof Class<?> one && one.isRecord()) {
            return link(one);
        }
        return type == String.class
                ? "text"
                : type == boolean.class || type == Boolean.class ? "true or false" : "number";
    }

    private static String link(Class<?> type) {
        return "[" + name(type) + "](#" + name(type).toLowerCase(Locale.ROOT) + ")";
    }

    private static String name(Class<?> type) {
        return type.getSimpleName().replace("Body", "");
    }
}
