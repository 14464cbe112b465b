package io.forewarn.server.control;

import static io.forewarn.core.Eventually.eventually;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.icegreen.greenmail.util.GreenMail;
import com.icegreen.greenmail.util.ServerSetup;
import io.forewarn.server.control.ControlHarness.Reply;
import jakarta.mail.MessagingException;
import jakarta.mail.internet.MimeMessage;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Against a real SMTP server that asks who sends. */
final class MailApiTest {
    @TempDir
    private Path folder;

    private GreenMail post;
    private Path password;
    private int port;

    @BeforeEach
    void open() throws Exception {
        post = new GreenMail(new ServerSetup(0, "127.0.0.1", ServerSetup.PROTOCOL_SMTP));
        post.setUser("forewarn@example.org", "sender", "open sesame");
        post.start();
        port = post.getSmtp().getPort();
        password = Files.writeString(folder.resolve("password"), "open sesame\n");
    }

    @AfterEach
    void close() {
        post.stop();
    }

    private ControlHarness harnessWith() throws Exception {
        Map<String, String> settings = Map.of(
                "notifications.smtp.host", "127.0.0.1",
                "notifications.smtp.port", String.valueOf(port),
                "notifications.smtp.tls", "none",
                "notifications.smtp.user", "sender",
                "notifications.smtp.password-file", password.toString(),
                "notifications.smtp.from", "forewarn@example.org",
                "notifications.initial-retry-delay", "20ms",
                "notifications.timeout", "5s");
        return new ControlHarness(folder, settings);
    }

    private static Reply add(ControlHarness harness, String name, String more) throws Exception {
        return harness.post(
                "/v1/mail-subscriptions", "{\"name\":\"" + name + "\",\"to\":[\"ops@example.org\"]" + more + "}");
    }

    /** A letter may come twice: as its reader does, it takes those with one id for one. */
    private MimeMessage[] await(int count) throws Exception {
        return eventually(
                () -> {
                    Map<String, MimeMessage> letters = new LinkedHashMap<>();
                    for (MimeMessage letter : post.getReceivedMessages()) {
                        letters.putIfAbsent(letter.getMessageID(), letter);
                    }
                    return letters.values().toArray(MimeMessage[]::new);
                },
                letters -> letters.length >= count);
    }

    @Test
    void mailTextIsReadable() throws Exception {
        try (ControlHarness harness = harnessWith()) {
            assertEquals(
                    200,
                    add(harness, "ops", ",\"kinds\":[\"scheduled\",\"started\"]")
                            .status());
            harness.post(
                    "/v1/machines/FrontEnd_IN_0/restart",
                    "{\"description\":\"new kernel\\r\\nBcc: eve@example.org\\r\\n\\r\\nhello\"}");
            MimeMessage mail = await(1)[0];
            assertEquals("Forewarn: reboot of FrontEnd_IN_0 is scheduled", mail.getSubject());
            assertEquals("forewarn@example.org", mail.getFrom()[0].toString());
            assertEquals("ops@example.org", mail.getAllRecipients()[0].toString());
            assertEquals(1, mail.getAllRecipients().length);
            String text = mail.getContent().toString();
            assertTrue(text.contains("Machines: FrontEnd_IN_0"), text);
            assertTrue(text.contains("Notice: 15m promised"), text);
            assertTrue(mail.getMessageID().matches("<\\d+\\.0-[0-9a-f]{8}\\.ops@example\\.org>"), mail.getMessageID());
            harness.post("/v1/clock/advance", "{\"by\":\"15m\"}");
            assertEquals("Forewarn: reboot of FrontEnd_IN_0 has started", await(2)[1].getSubject());
        }
    }

    @Test
    void aWrongPasswordIsReportedAndNothingIsLost() throws Exception {
        Files.writeString(password, "wrong");
        try (ControlHarness harness = harnessWith()) {
            add(harness, "ops", "");
            JsonNode trial = harness.post("/v1/mail-subscriptions/ops/test", "").json();
            assertFalse(trial.path("delivered").asBoolean());
            String error = trial.path("error").asText();
            assertTrue(error.contains("does not accept user 'sender' with its password"), error);
            assertTrue(error.contains("notifications.smtp.password-file"), error);
            harness.post("/v1/machines/FrontEnd_IN_0/restart", "");
            String last = eventually(
                    () -> harness.get("/v1/mail-subscriptions/ops")
                            .json()
                            .path("lastError")
                            .asText(),
                    told -> !told.isEmpty());
            assertTrue(last.contains("does not accept user 'sender'"), last);
            assertFalse(last.contains("wrong"), last);
            Files.writeString(password, "open sesame");
            assertEquals("Forewarn: reboot of FrontEnd_IN_0 is scheduled", await(1)[0].getSubject());
            assertTrue(harness.post("/v1/mail-subscriptions/ops/test", "")
                    .json()
                    .path("delivered")
                    .asBoolean());
            assertEquals("Forewarn: test of ops", await(2)[1].getSubject());
            List<String> audit = harness.get("/v1/audit").json().findValuesAsText("request");
            assertEquals(2, Collections.frequency(audit, "test mail ops of all tenants"), audit.toString());
            assertTrue(audit.contains("add mail ops of all tenants to ops@example.org"), audit.toString());
        }
    }

    @Test
    void mailWaitsForTheServerEvenAcrossARestart() throws Exception {
        post.stop();
        try (ControlHarness harness = harnessWith()) {
            add(harness, "ops", "");
            harness.post("/v1/machines/FrontEnd_IN_0/restart", "");
            harness.post("/v1/clock/advance", "{\"by\":\"20m\"}");
        }
        post = new GreenMail(new ServerSetup(port, "127.0.0.1", ServerSetup.PROTOCOL_SMTP));
        post.setUser("forewarn@example.org", "sender", "open sesame");
        post.start();
        try (ControlHarness harness = harnessWith()) {
            List<String> subjects = Arrays.stream(await(3))
                    .map(m -> {
                        try {
                            return m.getSubject().replaceAll(".* ", "");
                        } catch (MessagingException broken) {
                            return broken.toString();
                        }
                    })
                    .toList();
            assertEquals(List.of("scheduled", "started", "done"), subjects);
            assertEquals(
                    0,
                    harness.get("/v1/mail-subscriptions/ops")
                            .json()
                            .path("deadLetters")
                            .asInt());
        }
    }

    @Test
    void invalidInputIsRefusedWithAPlainMessage() throws Exception {
        try (ControlHarness harness = harnessWith()) {
            String body = "{\"name\":\"a\",\"to\":[\"%s\"]}";
            for (String wrong :
                    List.of("nobody", "a@b\\r\\nBcc: x@y.z", "A <a@b.c>", "a@b.c, d@e.f", "@b", "a@", "a@-b")) {
                Reply reply = harness.post("/v1/mail-subscriptions", body.formatted(wrong));
                assertEquals(400, reply.status(), wrong);
                assertTrue(reply.error().contains("is not an address such as ops@example.org"), reply.error());
            }
            assertTrue(harness.post("/v1/mail-subscriptions", "{\"name\":\"a\"}")
                    .error()
                    .contains("1 to 20 addresses"));
            assertTrue(harness.post(
                            "/v1/mail-subscriptions", "{\"name\":\"a\",\"url\":\"https://x.org\",\"to\":[\"a@b.c\"]}")
                    .error()
                    .contains("mail has no url"));
            assertEquals(
                    404, harness.post("/v1/mail-subscriptions/ops/test", "").status());
        }
        try (ControlHarness harness = new ControlHarness(folder, Map.of())) {
            Reply none = add(harness, "ops", "");
            assertEquals(409, none.status());
            assertTrue(none.error().contains("set notifications.smtp.host"), none.error());
        }
    }
}
