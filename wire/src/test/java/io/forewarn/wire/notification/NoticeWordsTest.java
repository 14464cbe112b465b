package io.forewarn.wire.notification;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
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
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

final class NoticeWordsTest {
    private static final ZoneId UTC = ZoneId.of("UTC");
    private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");
    private static final Instant FRIDAY = Instant.parse("2026-11-20T21:00:00Z");
    private static final Path PAGE = Path.of("../docs/people.md");

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
        MailText mail = MailText.of(NotificationType.SCHEDULED, RESTART, UTC);
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

    private static HistoryEntry work(Transition what, Instant notBefore, String... machines) {
        return new HistoryEntry(
                FRIDAY.minus(Duration.ofDays(2)),
                what.name(),
                new GroupId("shop", "web"),
                new EventId(new UUID(0, 7)),
                Cause.HOST_REBOOT,
                List.of(machines),
                Actor.SERVICE,
                notBefore,
                Duration.ofHours(48),
                null,
                "",
                "os-nov");
    }

    @Test
    void subjectAndFirstLineSayWhatHappensToWhichMachineAndWhenAndNameTheRollout() {
        MailText mail =
                MailText.of(NotificationType.SCHEDULED, work(Transition.SCHEDULED, FRIDAY, "web-1", "web-2"), BERLIN);
        String headline =
                "reboot of web-1, web-2 is scheduled for Fri 20 Nov 2026 22:00 Europe/Berlin (rollout os-nov)";
        assertEquals("Forewarn: " + headline, mail.subject());
        assertEquals(headline + ".", mail.text().lines().findFirst().orElseThrow());
        assertTrue(mail.text().contains("\nNot before: Fri 20 Nov 2026 22:00:00 Europe/Berlin\n"), mail.text());
        assertEquals(
                "Forewarn: reboot of web-1, web-2, web-3 and 2 more moves to Fri 20 Nov 2026 21:00 UTC (rollout os-nov)",
                MailText.of(
                                NotificationType.MOVED,
                                work(Transition.MOVED, FRIDAY, "web-1", "web-2", "web-3", "web-4", "web-5"),
                                UTC)
                        .subject());
        assertEquals(
                "Forewarn: reboot of web-1, scheduled for Fri 20 Nov 2026 22:00 Europe/Berlin, is cancelled (rollout os-nov)",
                MailText.of(NotificationType.CANCELLED, work(Transition.CANCELLED, FRIDAY, "web-1"), BERLIN)
                        .subject());
    }

    @Test
    void theDateAndTheRolloutAreLeftInASubjectWithLongNames() {
        String name = "m".repeat(63);
        String subject = MailText.of(
                        NotificationType.SCHEDULED, work(Transition.SCHEDULED, FRIDAY, name, name, name), BERLIN)
                .subject();
        assertTrue(
                subject.endsWith("… is scheduled for Fri 20 Nov 2026 22:00 Europe/Berlin (rollout os-nov)"), subject);
    }

    @Test
    void aDigestListsItsNotificationsInTheOrderOfTheWorkAndNamesTheNextWorkFirst() {
        List<MailText.Item> items = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            items.add(new MailText.Item(
                    NotificationType.SCHEDULED, work(Transition.SCHEDULED, FRIDAY.plusSeconds(600L * i), "web-" + i)));
        }
        items.add(new MailText.Item(
                NotificationType.COMPLETED, work(Transition.COMPLETED, FRIDAY.minusSeconds(3600), "web-9")));
        Collections.reverse(items);
        MailText mail = MailText.digest(items, FRIDAY.minusSeconds(60), BERLIN);
        assertEquals(
                "Forewarn: 4 notifications, first: reboot of web-0 is scheduled for Fri 20 Nov 2026 22:00 Europe/Berlin"
                        + " (rollout os-nov)",
                mail.subject());
        List<String> lines =
                mail.text().lines().filter(line -> line.startsWith("* ")).toList();
        assertEquals(
                List.of("web-9", "web-0", "web-1", "web-2"),
                lines.stream().map(line -> line.split(" ")[3]).toList());
    }

    @Test
    void aPlanIsOneMailWithTheTimesOfTheReader() {
        HistoryEntry plan = new HistoryEntry(
                FRIDAY.minus(Duration.ofDays(2)),
                HistoryEntry.What.ROLLOUT_PLANNED.name(),
                GroupId.all("shop"),
                null,
                Cause.HOST_REBOOT,
                List.of("web-1", "web-2"),
                Actor.SERVICE,
                FRIDAY,
                null,
                null,
                FRIDAY + " web-1; " + FRIDAY.plusSeconds(1800) + " web-2",
                "os-nov");
        MailText mail = MailText.of(NotificationType.ROLLOUT_PLANNED, plan, BERLIN);
        assertEquals(
                "Forewarn: reboot of web-1, web-2 is planned, from Fri 20 Nov 2026 22:00 Europe/Berlin (rollout os-nov)",
                mail.subject());
        assertTrue(
                mail.text()
                        .contains(
                                "\nFri 20 Nov 2026 22:00 Europe/Berlin web-1\nFri 20 Nov 2026 22:30 Europe/Berlin web-2\n"),
                mail.text());
        assertTrue(mail.text().contains("\nTenant: shop\n"), mail.text());
        String digest = MailText.digest(
                        List.of(new MailText.Item(NotificationType.ROLLOUT_PLANNED, plan)), FRIDAY, BERLIN)
                .text();
        assertTrue(digest.contains("\n  Fri 20 Nov 2026 22:30 Europe/Berlin web-2\n"), digest);
        assertEquals(
                "Forewarn: reboot of web-1, web-2 moves to Fri 20 Nov 2026 21:00 UTC (rollout os-nov)",
                MailText.of(NotificationType.ROLLOUT_MOVED, plan, UTC).subject());
    }

    private static HistoryEntry rehearsed(HistoryEntry entry, String detail) {
        return new HistoryEntry(
                entry.at(),
                entry.what(),
                entry.group(),
                entry.event(),
                entry.cause(),
                entry.machines(),
                entry.actor(),
                entry.notBefore(),
                entry.promised(),
                entry.given(),
                HistoryEntry.detail(true, detail),
                entry.rollout());
    }

    @Test
    void aMessageAboutARehearsalSaysSoFirst() {
        HistoryEntry scheduled = rehearsed(work(Transition.SCHEDULED, FRIDAY, "web-1"), "");
        String headline =
                "rehearsal: reboot of web-1 is scheduled for Fri 20 Nov 2026 22:00 Europe/Berlin (rollout os-nov)";
        MailText mail = MailText.of(NotificationType.SCHEDULED, scheduled, BERLIN);
        assertEquals("Forewarn: " + headline, mail.subject());
        assertEquals(headline + ".", mail.text().lines().findFirst().orElseThrow());
        assertEquals(
                "Forewarn: " + headline,
                SlackMessage.of(NotificationType.SCHEDULED, scheduled, BERLIN).text());
        assertEquals(
                "Forewarn: rehearsal: reboot of web-1 started at Wed 18 Nov 2026 21:00 UTC (rollout os-nov)",
                MailText.of(
                                NotificationType.STARTED,
                                rehearsed(work(Transition.STARTED_BY_TIME, FRIDAY, "web-1"), ""),
                                UTC)
                        .subject());
        HistoryEntry plan = rehearsed(work(Transition.SCHEDULED, FRIDAY, "web-1"), FRIDAY + " web-1");
        MailText planned = MailText.of(NotificationType.ROLLOUT_PLANNED, plan, UTC);
        assertEquals(
                "Forewarn: rehearsal: reboot of web-1 is planned, from Fri 20 Nov 2026 21:00 UTC (rollout os-nov)",
                planned.subject());
        assertTrue(planned.text().contains(".\n\nFri 20 Nov 2026 21:00 UTC web-1\n\n"), planned.text());
        assertEquals(
                "Forewarn: rehearsal: reboot of web-1 moves to Fri 20 Nov 2026 21:00 UTC (rollout os-nov)",
                MailText.of(
                                NotificationType.ROLLOUT_MOVED,
                                rehearsed(work(Transition.MOVED, FRIDAY, "web-1"), "other work takes longer"),
                                UTC)
                        .subject());
    }

    @Test
    void aRolloutThatIsCalledRehearsalIsNotARehearsal() {
        HistoryEntry paused = new HistoryEntry(
                FRIDAY,
                HistoryEntry.What.ROLLOUT_PAUSED.name(),
                null,
                null,
                null,
                List.of(),
                Actor.SERVICE,
                null,
                null,
                null,
                "rehearsal",
                "rehearsal");
        assertEquals(
                "Forewarn: rollout paused: rehearsal",
                MailText.of(NotificationType.ROLLOUT_PAUSED, paused, UTC).subject());
    }

    @Test
    void aNameCannotBecomeALinkOrAMentionInAChat() {
        HistoryEntry entry = work(Transition.SCHEDULED, FRIDAY, "<!channel>&");
        String json = new String(
                SlackMessage.of(NotificationType.SCHEDULED, entry, UTC).json(), StandardCharsets.UTF_8);
        assertFalse(json.contains("<"), json);
        assertTrue(json.contains("&lt;!channel&gt;&amp;"), json);
    }

    @Test
    void thePageShowsTheSlackMessageAsItIsSent() throws Exception {
        SlackMessage message = SlackMessage.of(
                NotificationType.SCHEDULED, work(Transition.SCHEDULED, FRIDAY, "web-1", "web-2"), BERLIN);
        String json = new String(message.json(), StandardCharsets.UTF_8);
        String page = Files.readString(PAGE).replaceAll("\\n *", "");
        assertTrue(page.contains(json.replaceAll("\\n *", "")), json);
    }
}
