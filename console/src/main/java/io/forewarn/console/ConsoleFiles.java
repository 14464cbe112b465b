package io.forewarn.console;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;

/**
 * Holds the files of the console, compressed once. Every file but the page itself has the digest of all of them in its
 * address: modules import each other by relative paths, so that a change to one gives all of them new addresses.
 */
public final class ConsoleFiles {
    /** Every address of the console begins with it. */
    public static final String PREFIX = "/console/";

    private static final String ASSETS = PREFIX + "assets-";
    private static final String FOLDER = "web/";
    private static final String PAGE = "index.html";
    private static final int TAG_BYTES = 10;
    private static final int SMALLEST_COMPRESSED = 256;

    /** What modules import by name, and where it is. A key that ends in a slash stands for all files of a library. */
    private static final Map<String, String> IMPORTS = new TreeMap<>(Map.of(
            "lit", "lib/lit/index.js",
            "lit/", "lib/lit/",
            "lit-html", "lib/lit-html/lit-html.js",
            "lit-html/", "lib/lit-html/",
            "lit-element/", "lib/lit-element/",
            "@lit/reactive-element", "lib/reactive-element/reactive-element.js",
            "@lit/reactive-element/", "lib/reactive-element/",
            "echarts", "lib/echarts/dist/echarts.esm.min.js"));

    private final Map<String, ConsoleFile> files = new HashMap<>();
    private final String assets;
    private final ConsoleFile page;
    private final String policy;

    private ConsoleFiles(Map<String, byte[]> content) {
        MessageDigest all = sha256();
        content.forEach((name, bytes) -> {
            all.update(name.getBytes(UTF_8));
            all.update(bytes);
        });
        this.assets = ASSETS + tag(all.digest()) + "/";
        content.forEach((name, bytes) -> files.put(name, file(name, bytes, true)));
        String map = importMap();
        String text = new String(content.get(PAGE), UTF_8)
                .replace("{{assets}}", assets)
                .replace("{{imports}}", map);
        this.page = file(PAGE, text.getBytes(UTF_8), false);
        String hash = Base64.getEncoder().encodeToString(sha256().digest(map.getBytes(UTF_8)));
        this.policy = "default-src 'none'; script-src 'self' 'sha256-" + hash + "'; style-src 'self'; img-src 'self';"
                + " connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
    }

    /** Reads all files, which takes a moment. */
    public static ConsoleFiles load() {
        URL page = ConsoleFiles.class.getResource(FOLDER + PAGE);
        try {
            URI uri = page.toURI();
            if (!uri.getScheme().equals("jar")) {
                return new ConsoleFiles(read(Path.of(uri).getParent()));
            }
            try (FileSystem jar = FileSystems.newFileSystem(Path.of(URI.create(jarOf(uri))))) {
                String inside = uri.toString().substring(uri.toString().indexOf("!/") + 1);
                return new ConsoleFiles(read(jar.getPath(inside).getParent()));
            }
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        } catch (URISyntaxException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private static String jarOf(URI inside) {
        return inside.getSchemeSpecificPart().replaceFirst("!/.*", "").replace(" ", "%20");
    }

    private static Map<String, byte[]> read(Path folder) throws IOException {
        Map<String, byte[]> content = new TreeMap<>();
        try (Stream<Path> paths = Files.walk(folder)) {
            for (Path path : (Iterable<Path>) paths.filter(Files::isRegularFile)::iterator) {
                content.put(name(folder.relativize(path)), Files.readAllBytes(path));
            }
        }
        return content;
    }

    /** Libraries are packed in folders named after their releases, which addresses do not need. */
    private static String name(Path path) {
        return path.toString()
                .replace('\\', '/')
                .replaceFirst("^lib/META-INF/resources/_static/([^/]+)/[^/]+/", "lib/$1/");
    }

    /** Only with the page is a script in the page itself allowed: the import map, by its digest. */
    public String contentSecurityPolicy() {
        return policy;
    }

    /** The file at a path that begins with {@link #PREFIX}. Each address that is not a file's is a view of the page. */
    public Optional<ConsoleFile> at(String path) {
        if (path.startsWith(assets)) {
            return Optional.ofNullable(files.get(path.substring(assets.length())));
        }
        return path.startsWith(ASSETS) ? Optional.empty() : Optional.of(page);
    }

    private String importMap() {
        StringBuilder map = new StringBuilder("{\"imports\":{");
        IMPORTS.forEach((name, file) -> map.append(map.charAt(map.length() - 1) == '{' ? "" : ",")
                .append('"')
                .append(name)
                .append("\":\"")
                .append(assets)
                .append(file)
                .append('"'));
        return map.append("}}").toString();
    }

    private static ConsoleFile file(String name, byte[] bytes, boolean lasting) {
        byte[] gzip = bytes.length < SMALLEST_COMPRESSED ? null : gzip(bytes);
        return new ConsoleFile(type(name), bytes, gzip, tag(sha256().digest(bytes)), lasting);
    }

    private static String type(String name) {
        return switch (name.substring(name.lastIndexOf('.') + 1)) {
            case "html" -> "text/html; charset=utf-8";
            case "js" -> "text/javascript; charset=utf-8";
            case "css" -> "text/css; charset=utf-8";
            case "svg" -> "image/svg+xml";
            default -> "text/plain; charset=utf-8";
        };
    }

    private static byte[] gzip(byte[] bytes) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (GZIPOutputStream zip = new GZIPOutputStream(out)) {
            zip.write(bytes);
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return out.toByteArray();
    }

    private static String tag(byte[] digest) {
        return HexFormat.of().formatHex(digest, 0, TAG_BYTES);
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
