package io.forewarn.wire.control;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import io.forewarn.core.RefusedException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class SyntaxErrorsTest {
    private static final String NO_TEXT = "line 1: cannot be read: it is not text in UTF-8";

    @Test
    void yamlErrorsHaveALineNumber() {
        assertSaid(
                "line 4: cannot be read as YAML: there is a list where a key is expected; check the indentation (in the block that begins in line 1)",
                "machines:\n  - name: a\n    host: b\n - name: c\n");
        assertSaid(
                "line 3: cannot be read as YAML: a key is not below the one before it; check the indentation (in the block that begins in line 2)",
                "machines:\n  - name: a\n   host: b\n");
        assertSaid(
                "line 2: cannot be read as YAML: there is a tab where spaces are expected; YAML is indented with spaces",
                "machines:\n\t- name: a\n");
        assertSaid(
                "line 3: cannot be read as YAML: a ',' or '}' is expected here (in the block that begins in line 2)",
                "machines:\n  - {name: a\n  - {name: b}\n");
        assertSaid(
                "line 3: cannot be read as YAML: it ends unexpectedly; a bracket or a quote is not closed (in the block that begins in line 2)",
                "machines:\n  - name: \"a\n");
        assertSaid(
                "line 2: cannot be read as YAML: a second ':' in one line; put a text with ': ' in quotes",
                "machines:\n  - name: a: b\n");
        assertSaid(
                "line 2: cannot be read as YAML: it ends unexpectedly; a bracket or a quote is not closed",
                "machines: [\n");
        assertSaid(
                "line 1: cannot be read: it ends unexpectedly; a bracket or a quote is not closed",
                "{\"group\":{\"name\":");
        assertSaid(
                "line 1: cannot be read as JSON: Unexpected character ('}'): expected a value",
                "{\"group\":{\"name\":}}");
        assertSaid("line 1: cannot be read as JSON: Unrecognized token 'web'", "{\"group\":{\"name\":web}}");
    }

    @Test
    void nonTextFilesAreReported() {
        assertSaid(NO_TEXT, new byte[] {0x7f, 'E', 'L', 'F', 2, 1, 1, 0, 0, (byte) 0xc3, 0x28});
        assertSaid(NO_TEXT, new byte[] {(byte) 0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n', 0, 0});
        assertSaid(NO_TEXT, new byte[] {0x1f, (byte) 0x8b, 8, 0, 0, 0, 0, 0, 0, 3});
        assertSaid(NO_TEXT, new byte[] {'{', '"', (byte) 0xc3, 0x28, '"', ':', '1', '}'});
    }

    @Test
    void noSentenceNamesAClass() {
        String characters = "-?:,[]{}#&*!|>'\"%@` \n\tax1~<=";
        Random random = new Random(11);
        for (int i = 0; i < 20_000; i++) {
            StringBuilder file = new StringBuilder();
            for (int length = random.nextInt(12); length >= 0; length--) {
                file.append(characters.charAt(random.nextInt(characters.length())));
            }
            try {
                FleetReader.read(new ByteArrayInputStream(file.toString().getBytes(StandardCharsets.UTF_8)), "default");
            } catch (RefusedException refusal) {
                String said = refusal.getMessage();
                assertFalse(said.matches("(?s).*([a-z]+\\.[a-z]+\\.[a-zA-Z]|Exception).*"), file + " -> " + said);
            } catch (IOException | RuntimeException broken) {
                fail("'" + file + "' is not told of but thrown", broken);
            }
        }
    }

    private static void assertSaid(String sentence, String file) {
        assertSaid(sentence, file.getBytes(StandardCharsets.UTF_8));
    }

    private static void assertSaid(String sentence, byte[] file) {
        RefusedException refusal =
                assertThrows(RefusedException.class, () -> FleetReader.read(new ByteArrayInputStream(file), "default"));
        assertTrue(refusal.getMessage().startsWith(sentence), refusal.getMessage());
    }
}
