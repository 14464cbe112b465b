package io.forewarn.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

final class EventIdResolverTest {
    private static final String ONE = "602D9444-D2CD-49C7-8624-8643E7171297";
    private static final String OTHER = "602D9555-D2CD-49C7-8624-8643E7171297";

    @Test
    void theBeginningOfOneIdIsEnoughInEitherCase() {
        assertEquals(ONE, EventIdResolver.only("602d94", List.of(ONE, OTHER)));
        assertEquals(OTHER, EventIdResolver.only("602D9555-D", List.of(ONE, OTHER)));
    }

    @Test
    void theBeginningOfTwoIdsNamesBoth() {
        String said = assertThrows(
                        CommandRefusedException.class, () -> EventIdResolver.only("602D", List.of(ONE, OTHER)))
                .getMessage();
        assertTrue(said.contains(ONE) && said.contains(OTHER), said);
    }

    @Test
    void theBeginningOfNoneAndTooLittleAreRefused() {
        assertThrows(CommandRefusedException.class, () -> EventIdResolver.only("ABCD", List.of(ONE, OTHER)));
        assertThrows(CommandRefusedException.class, () -> new EventIdResolver(new ServerCommand()).whole("602"));
    }

    @Test
    void completeAndInvalidIdsAreLeftToTheServer() {
        EventIdResolver nobodyIsAsked = new EventIdResolver(new ServerCommand());
        assertEquals(List.of(ONE, "nosuch"), nobodyIsAsked.whole(List.of(ONE, "nosuch")));
    }
}
