package io.forewarn.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Prints {@code docs/glossary.md} from the list of terms; {@code -Ddocs.update=true} prints it anew. */
final class GlossaryPageTest {
    private static final Path PAGE = Path.of("..").toAbsolutePath().normalize().resolve("docs/glossary.md");

    @Test
    void thePageSaysWhatWordsMean() throws IOException {
        String page = page();
        if (Boolean.getBoolean("docs.update")) {
            Files.writeString(PAGE, page);
        }
        String written = Files.exists(PAGE) ? Files.readString(PAGE) : "";
        assertEquals(page, written, "docs/glossary.md is stale: run this test with -Ddocs.update=true");
    }

    @Test
    void termsAreInOrder() {
        List<String> terms = Glossary.TERMS.stream().map(GlossaryTerm::term).toList();
        assertEquals(terms.stream().sorted(String.CASE_INSENSITIVE_ORDER).toList(), terms);
    }

    private static String page() {
        StringBuilder page = new StringBuilder("""
                # Glossary

                Generated from the code by `GlossaryPageTest`; do not edit.

                Each term has one meaning in help texts, docs, errors, settings and the API. `GlossaryWordsTest` fails if a word from the last column is used instead of the term.

                | term | meaning | not |
                |---|---|---|
                """);
        for (GlossaryTerm term : Glossary.TERMS) {
            page.append(
                    "| *%s* | %s | %s |\n".formatted(term.term(), term.meaning(), String.join(", ", term.retired())));
        }
        return page.toString();
    }
}
