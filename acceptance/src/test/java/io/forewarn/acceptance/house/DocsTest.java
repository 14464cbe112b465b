package io.forewarn.acceptance.house;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What the pages point at is there. */
final class DocsTest {
    private static final Pattern LINK = Pattern.compile("\\]\\(([^)#:]+)\\)");
    private static final Pattern TEST = Pattern.compile("`(\\w+(?:Test|IT|Contract))\\b[^`]*`");

    private static List<Path> pages() throws IOException {
        try (Stream<Path> docs = Files.walk(ShellCommand.REPOSITORY.resolve("docs"))) {
            Stream<Path> own = Stream.of(
                    ShellCommand.REPOSITORY.resolve("README.md"), ShellCommand.REPOSITORY.resolve("CHANGELOG.md"));
            return Stream.concat(own, docs.filter(p -> p.toString().endsWith(".md")))
                    .toList();
        }
    }

    @Test
    void everyLinkLeadsSomewhere() throws IOException {
        Set<String> dead = new TreeSet<>();
        for (Path page : pages()) {
            Matcher link = LINK.matcher(Files.readString(page));
            while (link.find()) {
                if (!Files.exists(page.resolveSibling(link.group(1)))) {
                    dead.add(page.getFileName() + " -> " + link.group(1));
                }
            }
        }
        assertEquals(Set.of(), dead);
    }

    @Test
    void everyTestThatIsNamedExists() throws IOException {
        Set<String> known;
        try (Stream<Path> files = Files.walk(ShellCommand.REPOSITORY)) {
            known = files.map(Path::toString)
                    .filter(f -> f.contains("/src/test/java/") && f.endsWith(".java"))
                    .map(f -> f.substring(f.lastIndexOf('/') + 1, f.length() - ".java".length()))
                    .collect(Collectors.toSet());
        }
        Set<String> missing = new TreeSet<>();
        for (Path page : pages()) {
            Matcher test = TEST.matcher(Files.readString(page));
            while (test.find()) {
                if (!known.contains(test.group(1))) {
                    missing.add(page.getFileName() + ": " + test.group(1));
                }
            }
        }
        assertEquals(Set.of(), missing);
    }
}
