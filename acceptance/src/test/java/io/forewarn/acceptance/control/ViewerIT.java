package io.forewarn.acceptance.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.forewarn.acceptance.control.Program.Run;
import io.forewarn.acceptance.deploy.StoreChoice;
import io.forewarn.wire.openapi.OpenApi;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarFile;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The description opens in Swagger UI, in a browser, with every operation on the page and no complaint. */
@Tag(StoreChoice.ONCE)
final class ViewerIT {
    private static final Path CHROMIUM = Path.of("/usr/bin/chromium");

    @TempDir
    private Path folder;

    @Test
    void everyOperationIsOnThePage() throws Exception {
        assumeTrue(Files.isExecutable(CHROMIUM), "chromium is not installed (Debian package chromium)");
        String document = new String(OpenApi.document(), StandardCharsets.UTF_8);
        try (JarFile viewer = new JarFile(CopiedPrograms.file("swagger-ui.jar").toFile())) {
            copy(viewer, "swagger-ui-bundle.js");
        }
        Path page = Files.writeString(
                folder.resolve("index.html"),
                "<!doctype html><meta charset=utf-8><div id=ui></div><script src=swagger-ui-bundle.js></script><script>"
                        + "SwaggerUIBundle({dom_id: '#ui', docExpansion: 'list', spec: "
                        + document.replace("</", "<\\/") + "});</script>");
        Program program = new Program(folder);
        Run shown = program.finish(program.start(List.of(
                        CHROMIUM.toString(),
                        "--headless=new",
                        "--no-sandbox",
                        "--disable-gpu",
                        "--user-data-dir=" + folder.resolve("profile"),
                        "--virtual-time-budget=8000",
                        "--dump-dom",
                        page.toUri().toString())))
                .ended(0);
        Set<String> described = found("\"operationId\":\"([^\"]+)\"", document);
        Set<String> tags = found("\"tags\":\\[\"([^\"]+)\"\\]", document);
        Set<String> listed = found("id=\"operations-(?!tag-)([a-z-]+)\"", shown.out()).stream()
                .map(id -> withoutTag(id, tags))
                .collect(Collectors.toCollection(TreeSet::new));
        assertTrue(described.size() > 40, described.toString());
        assertEquals(described, listed);
        assertFalse(shown.out().contains("errors-wrapper"), "the viewer complains");
        assertTrue(shown.out().contains("OAS 3.1"), "it is not taken for 3.1");
    }

    private void copy(JarFile jar, String name) throws Exception {
        ZipEntry entry = jar.stream()
                .filter(e -> e.getName().endsWith("/" + name))
                .findFirst()
                .orElseThrow();
        try (InputStream in = jar.getInputStream(entry)) {
            Files.copy(in, folder.resolve(name));
        }
    }

    /** The viewer writes the tag of an operation before its id; tags may contain hyphens too. */
    private static String withoutTag(String id, Set<String> tags) {
        return tags.stream()
                .filter(tag -> id.startsWith(tag + "-"))
                .max(Comparator.comparingInt(String::length))
                .map(tag -> id.substring(tag.length() + 1))
                .orElse(id);
    }

    private static Set<String> found(String pattern, String text) {
        return Pattern.compile(pattern)
                .matcher(text)
                .results()
                .map((MatchResult r) -> r.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
