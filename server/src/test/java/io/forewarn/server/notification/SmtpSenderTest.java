package io.forewarn.server.notification;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.forewarn.core.notification.Channel;
import io.forewarn.core.notification.NotificationType;
import io.forewarn.core.notification.Subscription;
import io.forewarn.core.notification.SubscriptionId;
import io.forewarn.server.notification.NotificationSettings.Smtp;
import io.forewarn.server.notification.NotificationSettings.Tls;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class SmtpSenderTest {
    private static final Instant NOON = Instant.parse("2030-01-01T12:00:00Z");
    private static final List<String> BOTH = List.of("ann@example.org", "bob@example.org");

    private ScriptedSmtpServer server;
    private SmtpSender carrier;

    @BeforeEach
    void open() throws Exception {
        server = new ScriptedSmtpServer();
        carrier = carrier(Duration.ofSeconds(20));
    }

    @AfterEach
    void close() throws Exception {
        carrier.close();
        server.close();
    }

    private SmtpSender carrier(Duration limit) {
        Smtp smtp = new Smtp("127.0.0.1", server.port(), Tls.NONE, "", "", "forewarn@example.org");
        return new SmtpSender(smtp, limit, () -> NOON);
    }

    private CompletableFuture<DeliveryResult> carry(SmtpSender by, String id, List<String> to) {
        CompletableFuture<DeliveryResult> fate = new CompletableFuture<>();
        Subscription subscription = new Subscription(
                new SubscriptionId(Channel.MAIL, "shop", "ops"),
                Set.of(),
                NotificationType.usual(),
                "",
                to,
                "",
                NOON,
                1);
        by.send(
                subscription,
                OutgoingMessage.test("/forewarn", id, NOON, subscription, ZoneId.of("UTC")),
                0,
                fate::complete);
        return fate;
    }

    private DeliveryResult send(String id) throws Exception {
        return carry(carrier, id, BOTH).get(60, TimeUnit.SECONDS);
    }

    @Test
    void anAddressUnknownToTheServerDoesNotAffectOtherRecipients() throws Exception {
        server.toRecipient = to -> to.startsWith("ann") ? "550 no such user" : "250 fine";
        DeliveryResult result = send("1.0");
        assertTrue(result.taken(), result.error());
        assertEquals(List.of(List.of("bob@example.org")), server.mails);
        assertTrue(
                result.error().contains("does not accept mail to ann@example.org: 550 no such user"), result.error());
        server.toRecipient = to -> "250 fine";
        assertNull(send("2.0").error());
        assertEquals(BOTH, server.mails.get(1));
    }

    @Test
    void temporarilyRefusedRecipientsAreRetriedAndOthersGetTheMailOnce() throws Exception {
        server.toRecipient = to -> to.startsWith("ann") ? "451 come again" : "250 fine";
        DeliveryResult result = send("1.0");
        assertFalse(result.taken());
        assertTrue(result.error().contains("to ann@example.org: 451 come again"), result.error());
        server.toRecipient = to -> "250 fine";
        assertTrue(send("1.0").taken());
        assertEquals(List.of(List.of("bob@example.org"), List.of("ann@example.org")), server.mails);
    }

    @Test
    void aMailWithoutAcceptedRecipientsIsNotDelivered() throws Exception {
        server.toRecipient = to -> "550 no such user";
        DeliveryResult result = send("1.0");
        assertFalse(result.taken());
        assertTrue(result.error().contains("ann@example.org, bob@example.org"), result.error());
        assertEquals(List.of(), server.mails);
    }

    @Test
    void aServerThatNeverStopsTalkingIsCutOff() throws Exception {
        server.drips = true;
        try (SmtpSender hurried = carrier(Duration.ofSeconds(1))) {
            List<CompletableFuture<DeliveryResult>> fates = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                fates.add(carry(hurried, i + ".0", BOTH));
            }
            for (CompletableFuture<DeliveryResult> fate : fates) {
                String error = fate.get(60, TimeUnit.SECONDS).error();
                assertTrue(error.contains("did not finish within 1 s"), error);
            }
            server.drips = false;
            assertTrue(carry(hurried, "5.0", BOTH).get(60, TimeUnit.SECONDS).taken());
        }
    }
}
