package io.forewarn.wire.notification;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.forewarn.core.Actor;
import io.forewarn.core.event.Cause;
import io.forewarn.core.event.EventId;
import io.forewarn.core.event.Transition;
import io.forewarn.core.fleet.GroupId;
import io.forewarn.core.history.HistoryEntry;
import io.forewarn.core.notification.LogPosition;
import io.forewarn.core.notification.NotificationType;
import io.forewarn.wire.control.HistoryEntryBody;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

final class NoticeWordsTest {
    private static final HistoryEntry RESTART = new HistoryEntry(
            Instant.parse("2030-01-01T00:00:00Z"),
            Transition.SCHEDULED.name(),
            new GroupId("default", "web"),
            new EventId(new UUID(0, 1)),
            Cause.RESTART,
            List.of("m0"),
            Actor.SERVICE,
            null,
            null,
            null,
            "");

    @Test
    void aWebhookNamesWhatMachinesSawAndWhatItCameFrom() {
        String json = new String(
                CloudEvent.of("/forewarn", new LogPosition(1, 0), NotificationType.SCHEDULED, RESTART)
                        .json(),
                StandardCharsets.UTF_8);
        assertTrue(json.contains("\"type\":\"reboot\",\"cause\":\"restart\""), json);
    }

    @Test
    void aMailNamesBoth() {
        MailText mail = MailText.of(NotificationType.SCHEDULED, RESTART);
        assertTrue(mail.subject().contains("reboot of m0"), mail.subject());
        assertTrue(
                mail.text().contains("\nWork: reboot: Restart requested by the owner.\nCause: restart\n"), mail.text());
    }

    @Test
    void aLineOfCommaSeparatedValuesNamesBoth() {
        List<String> cells = HistoryEntryBody.of(RESTART).cells();
        assertEquals("reboot", cells.get(HistoryEntryBody.CELLS.indexOf("type")));
        assertEquals("restart", cells.get(HistoryEntryBody.CELLS.indexOf("cause")));
        assertEquals(HistoryEntryBody.CELLS.size(), cells.size());
    }
}
