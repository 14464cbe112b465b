package io.forewarn.server.forward;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.forewarn.core.Actor;
import io.forewarn.core.Problem;
import io.forewarn.core.audit.AuditEntry;
import io.forewarn.core.event.EventId;
import io.forewarn.core.fleet.GroupId;
import io.forewarn.core.rules.Command;
import io.forewarn.wire.control.Json;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class ForwardedCommandTest {
    private static final GroupId WEB = new GroupId("shop", "web");
    private static final EventId EVENT = new EventId(new UUID(1, 2));
    private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");
    private static final Actor MACHINE = Actor.machine("shop/web-1", "10.0.0.1");

    @Test
    void forwardedCommandsRoundTrip() {
        for (Command command : List.of(
                new Command.Approve(WEB, List.of(EVENT), MACHINE),
                new Command.Ready(WEB, "web-1", List.of(EVENT), MACHINE),
                new Command.Recovered(WEB, "web-1", MACHINE),
                new Command.Enable(WEB, MACHINE),
                new Command.Sight(WEB, "web-1", Set.of(EVENT), NOON, MACHINE),
                new Command.Postpone(WEB, EVENT, NOON, null, MACHINE),
                new Command.Postpone(WEB, EVENT, null, Duration.ofMinutes(5), MACHINE),
                new Command.Denied("POST /v1/x", Problem.FORBIDDEN, "because", Actor.person("eve", "10.0.0.2")))) {
            byte[] sent = Json.write(ForwardedCommand.of(command).orElseThrow());
            assertEquals(command, Json.message(ForwardedCommand.class, sent).command());
        }
    }

    @Test
    void peoplesCommandsArePassedOnAsTheyCameIn() {
        Actor person = Actor.person("ann", "");
        assertTrue(ForwardedCommand.of(new Command.Approve(null, List.of(EVENT), person))
                .isEmpty());
        assertTrue(ForwardedCommand.of(new Command.Cancel(EVENT, person)).isEmpty());
    }

    /** What is longer the audit log would not keep. */
    @Test
    void refusalsAreForwardedAsShortAsTheyAreAudited() {
        String asked = "GET /v1/" + "x".repeat(8_000);
        String reason = "\uD83D\uDE00".repeat(5_000);
        Actor eve = Actor.person("eve", "10.0.0.2");
        ForwardedCommand word = ForwardedCommand.of(new Command.Denied(asked, Problem.FORBIDDEN, reason, eve))
                .orElseThrow();
        AuditEntry written = new AuditEntry(eve, asked, Problem.FORBIDDEN, reason);
        assertEquals(written.asked(), word.asked());
        assertEquals(written.reason(), word.reason());
        assertEquals(new Command.Denied(written.asked(), Problem.FORBIDDEN, written.reason(), eve), heard(word));
    }

    private static Command heard(ForwardedCommand word) {
        byte[] sent = Json.write(new ForwardedReports(List.of(word), null));
        ForwardedReports heard = Json.message(ForwardedReports.class, sent);
        assertTrue(heard.polls().isEmpty());
        return heard.commands().get(0).command();
    }

    @Test
    void aForwardedCommandIsNotLargerThanItsEstimate() {
        String odd = "\u0001\"\\ü€\uD83D\uDE00";
        List<String> list = List.of(odd, "", odd);
        for (ForwardedCommand word : List.of(
                new ForwardedCommand(odd, odd, odd, odd, list, odd, odd, odd, odd, odd, odd, list),
                new ForwardedCommand("", "", "", "", List.of(), "", "", "", "", "", "", List.of()),
                new ForwardedCommand("enable", null, null, null, null, null, null, null, null, null, null, null))) {
            int length = Json.write(word).length + 1;
            assertTrue(length <= word.size(), () -> length + " bytes, taken for " + word.size());
        }
    }

    @Test
    void aPollIsReportedWithItsTimeAndVersion() {
        ForwardedReports.Poll poll = new ForwardedReports.Poll("shop", "web-1", NOON.toString(), "2020-07-01");
        ForwardedReports heard =
                Json.message(ForwardedReports.class, Json.write(new ForwardedReports(null, List.of(poll))));
        assertEquals(List.of(poll), heard.polls());
        assertEquals(NOON.toEpochMilli(), heard.polls().get(0).millis());
        assertTrue(heard.commands().isEmpty());
    }
}
