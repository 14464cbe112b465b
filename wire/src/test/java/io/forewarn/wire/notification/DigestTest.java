package io.forewarn.wire.notification;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.forewarn.core.Actor;
import io.forewarn.core.event.Cause;
import io.forewarn.core.fleet.GroupId;
import io.forewarn.core.history.HistoryEntry;
import io.forewarn.core.notification.NotificationType;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import org.junit.jupiter.api.Test;

final class DigestTest {
    private static final ZoneId UTC = ZoneId.of("UTC");
    private static final Instant PERIOD_ENDS = Instant.parse("2030-01-01T13:00:00Z");

    private static MailText.Item item(NotificationType what, String recorded, String date, String... machines) {
        return new MailText.Item(
                what,
                new HistoryEntry(
                        Instant.parse("2030-01-01T" + recorded + ":00Z"),
                        what.name(),
                        GroupId.all("shop"),
                        null,
                        Cause.HOST_REBOOT,
                        List.of(machines),
                        Actor.SERVICE,
                        date == null ? null : Instant.parse("2030-01-01T" + date + ":00Z"),
                        null,
                        null,
                        "",
                        "os"));
    }

    private static MailText digest(MailText.Item... items) {
        return MailText.digest(List.of(items), PERIOD_ENDS, UTC);
    }

    @Test
    void theSubjectNamesNoWorkThatWasCalledOff() {
        MailText mail = digest(
                item(NotificationType.ROLLOUT_PLANNED, "12:02", "14:00", "till"),
                item(NotificationType.ROLLOUT_PLANNED, "12:03", "15:00", "vault"),
                item(NotificationType.ROLLOUT_CANCELLED, "12:22", null, "till"));
        assertTrue(mail.subject().contains("vault"), mail.subject());
        assertTrue(mail.text().startsWith("reboot of vault"), mail.text());
    }

    @Test
    void whatCameOfADateFollowsIt() {
        String text = digest(
                        item(NotificationType.ROLLOUT_PLANNED, "12:02", "14:00", "till"),
                        item(NotificationType.ROLLOUT_CANCELLED, "12:22", null, "till"))
                .text();
        assertTrue(text.indexOf("* reboot of till is planned") < text.lastIndexOf("* reboot of till"), text);
    }

    @Test
    void theSubjectNamesTheLastDateOfWorkThatMoved() {
        MailText mail = digest(
                item(NotificationType.ROLLOUT_PLANNED, "12:02", "14:00", "till"),
                item(NotificationType.ROLLOUT_MOVED, "12:12", "16:00", "till"));
        assertTrue(mail.subject().contains("16:00"), mail.subject());
    }

    @Test
    void aPlanIsStillToComeForTheMachinesThatDidNotMove() {
        MailText mail = digest(
                item(NotificationType.ROLLOUT_PLANNED, "12:02", "14:00", "till", "desk"),
                item(NotificationType.ROLLOUT_MOVED, "12:12", "16:00", "till"));
        assertTrue(mail.subject().contains("14:00"), mail.subject());
        assertEquals(2, mail.text().split("\n\\* ").length - 1);
    }
}
