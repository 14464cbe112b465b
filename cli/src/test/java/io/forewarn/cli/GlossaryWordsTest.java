package io.forewarn.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.forewarn.wire.openapi.OpenApi;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** No help text, page, API description, setting, metric or error uses a word that the glossary retired. */
final class GlossaryWordsTest {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

    /** A text block, or a string on one line. */
    private static final Pattern LITERAL =
            Pattern.compile("\"\"\"\\n(.*?)\"\"\"|\"((?:[^\"\\\\\\n]|\\\\.)*)\"", Pattern.DOTALL);

    /** Files whose strings users never read, or that quote the retired words on purpose, and why. */
    private static final Map<String, String> EXEMPT = Map.of(
            "docs/glossary.md", "its last column lists the retired words",
            "records/", "what is stored keeps its spelling, as the golden records show",
            "server/src/main/java/io/forewarn/server/settings/FormerSettings.java", "former names of settings",
            "core/src/main/java/io/forewarn/core/rollout/RolloutUnitChunk.java", "the prefix of stored keys",
            "core/src/main/java/io/forewarn/core/history/HistoryEntry.java", "what earlier logs say");

    /** The hidden options that keep former names working say so. */
    private static final Set<String> FORMER_OPTIONS = Set.of("--drill", "--passes");

    @Test
    void helpUsesTheGlossarysWords() {
        List<String> found = new ArrayList<>();
        List<CommandLine> commands = new ArrayList<>();
        collect(Main.line(), commands);
        assertTrue(commands.size() > 40, "only " + commands.size() + " commands were found");
        for (CommandLine command : commands) {
            check(command.getCommandSpec().qualifiedName() + " --help", command.getUsageMessage(), found);
        }
        assertEquals(List.of(), found);
    }

    @Test
    void pagesUseTheGlossarysWords() throws IOException {
        List<String> found = new ArrayList<>();
        try (Stream<Path> files = Files.walk(ROOT.resolve("docs"))) {
            for (Path file : files.filter(f -> f.toString().endsWith(".md")).toList()) {
                checkFile(file, found);
            }
        }
        for (String page : List.of("README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "bench/README.md")) {
            checkFile(ROOT.resolve(page), found);
        }
        try (Stream<Path> files = Files.walk(ROOT.resolve("examples"))) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                checkFile(file, found);
            }
        }
        assertEquals(List.of(), found);
    }

    @Test
    void theDescriptionOfTheApiUsesTheGlossarysWords() {
        List<String> found = new ArrayList<>();
        check("openapi", new String(OpenApi.document(), UTF_8).replace("\",\"", "\",\n\""), found);
        assertEquals(List.of(), found);
    }

    /** Errors, log lines, metrics, settings and whatever else the program says. */
    @Test
    void whatTheProgramSaysUsesTheGlossarysWords() throws IOException {
        List<String> found = new ArrayList<>();
        int files = 0;
        for (String module : List.of("core", "records", "wire", "store-sqlite", "store-etcd", "server", "cli")) {
            try (Stream<Path> sources = Files.walk(ROOT.resolve(module).resolve("src/main"))) {
                for (Path file : sources.filter(Files::isRegularFile).toList()) {
                    files++;
                    if (file.toString().endsWith(".java")) {
                        checkLiterals(file, found);
                    } else if (file.toString().matches(".*\\.(properties|yaml|html|js|css|sql)")) {
                        checkFile(file, found);
                    }
                }
            }
        }
        assertTrue(files > 300, "only " + files + " files were found");
        assertEquals(List.of(), found);
    }

    @Test
    void aRetiredWordIsFound() {
        for (GlossaryTerm term : Glossary.TERMS) {
            if (term.misuse() != null) {
                List<String> found = new ArrayList<>();
                check("sample", term.sample(), found);
                assertFalse(found.isEmpty(), term.term());
            }
            List<String> found = new ArrayList<>();
            check(term.term(), term.term() + ": " + term.meaning(), found);
            assertEquals(List.of(), found);
        }
    }

    /** An exemption of code that nothing needs any more is removed. */
    @Test
    void everyExemptionIsNeeded() throws IOException {
        for (String exempt :
                EXEMPT.keySet().stream().filter(e -> !e.endsWith(".md")).toList()) {
            List<String> found = new ArrayList<>();
            try (Stream<Path> files = Files.walk(ROOT.resolve(exempt))) {
                for (Path file : files.filter(f -> f.toString().matches(".*/src/main/.*\\.java"))
                        .toList()) {
                    check(exempt, literals(Files.readString(file)), found);
                }
            }
            assertFalse(found.isEmpty(), exempt + " no longer uses a retired word");
        }
    }

    private static void collect(CommandLine command, List<CommandLine> commands) {
        commands.add(command);
        command.getSubcommands().values().forEach(c -> collect(c, commands));
    }

    private static void checkLiterals(Path file, List<String> found) throws IOException {
        if (!isExempt(file)) {
            check(ROOT.relativize(file).toString(), literals(Files.readString(file)), found);
        }
    }

    private static void checkFile(Path file, List<String> found) throws IOException {
        if (!isExempt(file)) {
            check(ROOT.relativize(file).toString(), Files.readString(file), found);
        }
    }

    private static boolean isExempt(Path file) {
        String path = ROOT.relativize(file).toString();
        return EXEMPT.keySet().stream().anyMatch(path::startsWith);
    }

    /** Each string on a line of its own. */
    private static String literals(String source) {
        StringBuilder all = new StringBuilder();
        Matcher literal = LITERAL.matcher(source.replaceAll("(?m)^\\s*(//|/?\\*).*$", ""));
        while (literal.find()) {
            String text = literal.group(1) == null ? literal.group(2) : literal.group(1);
            if (!FORMER_OPTIONS.contains(text)) {
                all.append('"').append(text).append("\"\n");
            }
        }
        return all.toString();
    }

    /** Words may be parts of names: fooBar, foo_bar and FOO_BAR are read as foo bar. */
    private static void check(String where, String text, List<String> found) {
        Set<String> told = new TreeSet<>();
        for (String line : text.split("\\R")) {
            String words = line.replaceAll("(\\p{Ll})(\\p{Lu})", "$1 $2")
                    .replace('_', ' ')
                    .toLowerCase(Locale.ROOT);
            for (GlossaryTerm term : Glossary.TERMS) {
                if (term.misuse() != null && term.misuse().matcher(words).find()) {
                    told.add(where + ": say '" + term.term() + "' in: " + line.strip());
                }
            }
        }
        found.addAll(told);
    }
}
