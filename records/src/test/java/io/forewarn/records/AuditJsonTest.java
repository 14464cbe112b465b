package io.forewarn.records;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.forewarn.core.Actor;
import io.forewarn.core.Problem;
import io.forewarn.core.audit.AuditPage;
import io.forewarn.core.audit.Deed;
import io.forewarn.core.audit.Seal;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class AuditJsonTest {
    private final JsonFormat format = new JsonFormat();

    @ParameterizedTest
    @ValueSource(strings = {"a", "\"", "\\", "\u0000", "\u007f", "ä", "\u2028", "😀", "\ud800"})
    void aDeedTakesNoMoreBytesThanItSays(String character) throws Exception {
        Deed deed = new Deed(
                Actor.machine(character.repeat(60), character.repeat(40)),
                character.repeat(1000),
                Problem.UNAUTHENTICATED,
                character.repeat(1000));
        int empty = page(List.of()).length;
        assertTrue(page(List.of(deed, deed)).length <= empty + 2 * deed.weight());
        // A character that is two halves is not cut in the middle.
        assertEquals(character.equals("😀") ? 399 : 400, deed.asked().length());
    }

    private byte[] page(List<Deed> deeds) {
        return Seal.seal(format.write(new AuditPage(1, 1, Instant.EPOCH, "0".repeat(64), deeds)));
    }
}
