package io.forewarn.records;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.forewarn.core.Actor;
import io.forewarn.core.Problem;
import io.forewarn.core.audit.AuditEntry;
import io.forewarn.core.audit.AuditPage;
import io.forewarn.core.audit.AuditPageHash;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class AuditJsonTest {
    private final JsonFormat format = new JsonFormat();

    @ParameterizedTest
    @ValueSource(strings = {"a", "\"", "\\", "\u0000", "\u007f", "ä", "\u2028", "😀", "\ud800"})
    void anEntryTakesNoMoreBytesThanEstimated(String character) throws Exception {
        AuditEntry entry = new AuditEntry(
                Actor.machine(character.repeat(60), character.repeat(40)),
                character.repeat(1000),
                Problem.UNAUTHENTICATED,
                character.repeat(1000));
        int empty = page(List.of()).length;
        assertTrue(page(List.of(entry, entry)).length <= empty + 2 * entry.weight());
        // A character that is two halves is not cut in the middle.
        assertEquals(character.equals("😀") ? 399 : 400, entry.asked().length());
    }

    /** Pages are chained by hashes of their bytes, so that a new spelling would break the chain. */
    @ParameterizedTest
    @CsvSource({
        "NOT_FOUND, UNKNOWN_NAME",
        "LIMIT_EXCEEDED, TOO_MANY",
        "STORE_UNAVAILABLE, STORE_DOWN",
        "OUTCOME_UNKNOWN, NOT_KNOWN",
        "CONFLICT, CONFLICT"
    })
    void aProblemKeepsItsStoredSpelling(Problem problem, String stored) throws Exception {
        AuditPage page = new AuditPage(
                1,
                1,
                Instant.EPOCH,
                "0".repeat(64),
                List.of(new AuditEntry(Actor.machine("a", "b"), "asked", problem, "reason")));
        byte[] bytes = format.write(page);
        assertTrue(new String(bytes, StandardCharsets.UTF_8).contains("\"problem\":\"" + stored + "\""));
        assertEquals(page, format.read(page.key(), bytes));
    }

    private byte[] page(List<AuditEntry> deeds) {
        return AuditPageHash.seal(format.write(new AuditPage(1, 1, Instant.EPOCH, "0".repeat(64), deeds)));
    }
}
