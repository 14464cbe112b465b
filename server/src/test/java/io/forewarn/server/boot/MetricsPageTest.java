package io.forewarn.server.boot;

import static io.forewarn.core.Eventually.eventually;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The table of {@code docs/metrics.md} is printed from what a running node tells; {@code -Ddocs.update=true} prints it anew. */
final class MetricsPageTest {
    private static final Path PAGE = Path.of("..").toAbsolutePath().normalize().resolve("docs/metrics.md");
    private static final String HEAD = "| metric | type | meaning |\n|---|---|---|\n";
    private static final Pattern HELP = Pattern.compile("# HELP (forewarn_\\S+) (.*)\n# TYPE \\S+ (\\S+)\n(.*)");

    @TempDir
    private Path folder;

    @Test
    void thePageListsWhatANodeTells() throws Exception {
        String told;
        try (ServicesOnEtcd on = new ServicesOnEtcd(folder);
                Service node = on.start(Map.of())) {
            String path = "/metadata/scheduledevents?api-version=2020-07-01";
            on.ask(node.metadata(), "GET", path, "", 200);
            // A poll is counted after it has been answered.
            told = eventually(
                    () -> on.ask(node.control(), "GET", "/metrics", "", 200),
                    it -> it.contains("forewarn_polls_total"));
        }
        String written = Files.readString(PAGE);
        int from = written.indexOf(HEAD);
        int to = written.indexOf("\n\n", from);
        String page = written.substring(0, from) + HEAD + rows(told) + written.substring(to + 1);
        if (Boolean.getBoolean("docs.update")) {
            Files.writeString(PAGE, page);
            written = page;
        }
        assertEquals(page, written, "docs/metrics.md is stale: run this test with -Ddocs.update=true");
    }

    private static String rows(String told) {
        Map<String, String> rows = new TreeMap<>();
        Matcher help = HELP.matcher(told);
        while (help.find()) {
            Matcher labels = Pattern.compile("\\{(\\w+)=\"[^\"]*\"(?:,(\\w+)=\"[^\"]*\")?\\}")
                    .matcher(help.group(4));
            String labelled = !labels.find() || labels.group(1).equals("le")
                    ? ""
                    : "{" + labels.group(1) + (labels.group(2) == null ? "" : "," + labels.group(2)) + "}";
            rows.put(
                    help.group(1),
                    "| `%s%s` | %s | %s |\n".formatted(help.group(1), labelled, help.group(3), help.group(2)));
        }
        return String.join("", rows.values());
    }
}
