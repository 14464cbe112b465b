package io.forewarn.server.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Base64;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The files of the console, as a browser loads them. */
final class ConsoleFilesApiTest {
    private static final HttpClient HTTP = HttpClient.newHttpClient();
    private static final int FIRST_VIEW_BYTES = 150_000;

    @TempDir
    private static Path folder;

    private static ControlHarness harness;

    @BeforeAll
    static void open() throws Exception {
        harness = new ControlHarness(folder, Map.of());
    }

    @AfterAll
    static void close() {
        harness.close();
    }

    private static HttpResponse<byte[]> get(String path, String... headers) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(
                URI.create("http://" + harness.service().control()).resolve(path));
        if (headers.length > 0) {
            request.headers(headers);
        }
        return HTTP.send(request.build(), BodyHandlers.ofByteArray());
    }

    private static String text(HttpResponse<byte[]> response) throws IOException {
        byte[] body = response.headers().firstValue("Content-Encoding").isPresent()
                ? new GZIPInputStream(new ByteArrayInputStream(response.body())).readAllBytes()
                : response.body();
        return new String(body, StandardCharsets.UTF_8);
    }

    private static String header(HttpResponse<?> response, String name) {
        return response.headers().firstValue(name).orElse("");
    }

    @Test
    void aBrowserIsLedFromTheRootToTheConsole() throws Exception {
        HttpResponse<byte[]> root = get("/", "Accept", "text/html,application/xhtml+xml");
        assertEquals(302, root.statusCode());
        assertEquals("/console/", header(root, "Location"));
        assertEquals(401, get("/", "Accept", "*/*").statusCode(), "programs are told as before");
        assertEquals(302, get("/console").statusCode());
    }

    @Test
    void everyAddressBelowTheConsoleIsThePage() throws Exception {
        String page = text(get("/console/"));
        assertTrue(page.contains("<fw-app>"), page);
        assertEquals(page, text(get("/console/rollouts/os-nov")));
    }

    @Test
    void thePageAllowsNoScriptButItsOwn() throws Exception {
        HttpResponse<byte[]> page = get("/console/");
        String policy = header(page, "Content-Security-Policy");
        String map =
                find("<script type=\"importmap\">(.*?)</script>", text(page)).get(0);
        byte[] digest = Secrets.sha256().digest(map.getBytes(StandardCharsets.UTF_8));
        assertTrue(
                policy.contains(
                        "script-src 'self' 'sha256-" + Base64.getEncoder().encodeToString(digest) + "'"),
                policy);
        assertTrue(policy.contains("default-src 'none'"), policy);
        assertTrue(policy.contains("frame-ancestors 'none'"), policy);
        assertFalse(policy.contains("unsafe"), policy);
        assertEquals("nosniff", header(page, "X-Content-Type-Options"));
    }

    @Test
    void filesAreCachedForGoodAndThePageIsAskedForAgain() throws Exception {
        HttpResponse<byte[]> page = get("/console/");
        assertEquals("no-cache", header(page, "Cache-Control"));
        HttpResponse<byte[]> again = get("/console/", "If-None-Match", header(page, "ETag"));
        assertEquals(304, again.statusCode());
        String app = find("src=\"([^\"]+/app\\.js)\"", text(page)).get(0);
        assertTrue(header(get(app), "Cache-Control").contains("immutable"));
        assertEquals(404, get(app.replaceFirst("assets-..", "assets-zz")).statusCode());
        assertEquals(404, get(app.replace("app.js", "../ConsoleFiles.class")).statusCode());
    }

    /** All modules that one imports, and those they import, each as a browser resolves it. */
    @Test
    void everythingThePageLoadsIsThereAndTheFirstViewIsSmall() throws Exception {
        String page = text(get("/console/"));
        Map<String, String> imports = new TreeMap<>();
        Matcher pair = Pattern.compile("\"([^\"]+)\":\"(/console/[^\"]+)\"").matcher(page);
        while (pair.find()) {
            imports.put(pair.group(1), pair.group(2));
        }
        String app = find("src=\"([^\"]+/app\\.js)\"", page).get(0);
        String now = app.replace("app.js", "pages/now.js");
        Set<String> loaded = new TreeSet<>();
        long bytes = get("/console/", "Accept-Encoding", "gzip").body().length
                + get(app.replace("app.js", "app.css"), "Accept-Encoding", "gzip")
                        .body()
                        .length;
        Deque<String> left = new ArrayDeque<>(Set.of(app, now));
        while (!left.isEmpty()) {
            String path = left.pop();
            if (loaded.add(path)) {
                HttpResponse<byte[]> file = get(path, "Accept-Encoding", "gzip");
                assertEquals(200, file.statusCode(), path);
                assertEquals("text/javascript; charset=utf-8", header(file, "Content-Type"), path);
                bytes += file.body().length;
                for (String name : find("(?:from|import)\\s*[\"']([^\"']+)[\"']", text(file))) {
                    left.push(resolve(name, path, imports));
                }
            }
        }
        assertTrue(loaded.size() > 10, loaded.toString());
        assertTrue(bytes < FIRST_VIEW_BYTES, "the first view takes " + bytes + " bytes");
    }

    private static String resolve(String name, String from, Map<String, String> imports) {
        if (name.startsWith(".")) {
            return URI.create(from).resolve(name).toString();
        }
        if (imports.containsKey(name)) {
            return imports.get(name);
        }
        String folder = imports.keySet().stream()
                .filter(key -> key.endsWith("/") && name.startsWith(key))
                .findFirst()
                .orElseThrow(() -> new AssertionError(from + " imports " + name + ", which no import map names"));
        return imports.get(folder) + name.substring(folder.length());
    }

    private static List<String> find(String pattern, String text) {
        return Pattern.compile(pattern)
                .matcher(text)
                .results()
                .map(found -> found.group(1))
                .toList();
    }
}
