package io.forewarn.server.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.forewarn.core.ClockReading;
import io.forewarn.core.Problem;
import io.forewarn.core.RefusedException;
import io.forewarn.core.engine.PublishedState;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class TokenAuthenticatorTest {
    private final AtomicBoolean ready = new AtomicBoolean();
    private final PublishedState published = new PublishedState();
    private final TokenAuthenticator authenticator = new TokenAuthenticator(
            () -> published, () -> new ClockReading(Instant.EPOCH, 0), ready::get, "secret", () -> Instant.EPOCH);

    @Test
    void aTokenThatIsNotKnownYetIsToComeAgain() {
        assertEquals(Problem.NOT_READY, refused("Bearer from-the-store"));
        ready.set(true);
        assertEquals(Problem.UNAUTHENTICATED, refused("Bearer from-the-store"));
    }

    @Test
    void callersWithoutATokenAreRefused() {
        assertEquals(Problem.UNAUTHENTICATED, refused(null));
        assertEquals(Problem.UNAUTHENTICATED, refused("secret"));
    }

    @Test
    void theLocalUserIsLetInAtOnce() {
        assertEquals(
                TokenAuthenticator.LOCAL,
                authenticator.admit("Bearer secret", "127.0.0.1").token().name());
    }

    private Problem refused(String authorization) {
        return assertThrows(RefusedException.class, () -> authenticator.admit(authorization, "127.0.0.1"))
                .problem();
    }
}
