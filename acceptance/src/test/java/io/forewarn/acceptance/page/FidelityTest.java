package io.forewarn.acceptance.page;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.forewarn.acceptance.deploy.InstalledTools;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** {@code docs/azure-fidelity.md} names tests that exist, and one for every rule. */
class FidelityTest {
    private static final Pattern TEST = Pattern.compile("`(\\w+)#(\\w+)`");
    private static final Pattern METHOD = Pattern.compile(
            "@(?:Test|ParameterizedTest|Property|RepeatedTest|TestFactory)\\b.*?void\\s+(\\w+)\\s*\\(", Pattern.DOTALL);

    private final Path project = InstalledTools.project();

    @Test
    void everyTestItNamesExists() throws IOException {
        Map<String, Set<String>> tests = tests();
        Set<String> missing = new TreeSet<>();
        Matcher named = TEST.matcher(page());
        int found = 0;
        while (named.find()) {
            found++;
            if (!tests.getOrDefault(named.group(1), Set.of()).contains(named.group(2))) {
                missing.add(named.group());
            }
        }
        assertEquals(Set.of(), missing, "tests that docs/azure-fidelity.md names and nobody wrote");
        assertTrue(found > 80, "the page names tests");
    }

    @Test
    void everyRuleHasATest() throws IOException {
        List<String> bare = new ArrayList<>();
        for (String line : page().lines().toList()) {
            boolean rule = line.startsWith("| ") && !line.startsWith("| rule ") && !line.startsWith("| api-version ");
            if (rule && !TEST.matcher(line).find() && !line.contains("not yet: ")) {
                bare.add(line);
            }
        }
        assertEquals(List.of(), bare, "rules without a test");
    }

    private String page() throws IOException {
        return Files.readString(project.resolve("docs/azure-fidelity.md"));
    }

    private Map<String, Set<String>> tests() throws IOException {
        Map<String, Set<String>> tests = new HashMap<>();
        try (Stream<Path> files = Files.walk(project, 14)) {
            for (Path file : files.filter(f -> f.toString().contains("/src/test/java/")
                            && f.toString().endsWith(".java"))
                    .toList()) {
                String name = file.getFileName().toString().replace(".java", "");
                Matcher method = METHOD.matcher(Files.readString(file));
                while (method.find()) {
                    tests.computeIfAbsent(name, n -> new TreeSet<>()).add(method.group(1));
                }
            }
        }
        return tests;
    }
}
