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
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
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

    private void startPost() {
        post = new GreenMail(new ServerSetup(port, "127.0.0.1", ServerSetup.PROTOCOL_SMTP));
        post.setUser("forewarn@example.org", "sender", "open sesame");
        post.start();
    }

    private ControlHarness harnessWith() throws Exception {
        return new ControlHarness(folder, settings());
    }

    private Map<String, String> settings() {
        return Map.of(
                "notifications.smtp.host", "127.0.0.1",
                "notifications.smtp.port", String.valueOf(port),
                "notifications.smtp.tls", "none",
                "notifications.smtp.user", "sender",
                "notifications.smtp.password-file", password.toString(),
                "notifications.smtp.from", "forewarn@example.org",
                "notifications.initial-retry-delay", "20ms",
                "notifications.timeout", "5s");
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
                    add(harness, "ops", ",\"kinds\":[\"scheduled\",\"started\"],\"zone\":\"Asia/Tokyo\"")
                            .status());
            Instant start =
                    Instant.parse(harness.get("/v1/clock").json().path("now").asText());
            harness.post(
                    "/v1/machines/FrontEnd_IN_0/restart",
                    "{\"description\":\"new kernel\\r\\nBcc: eve@example.org\\r\\n\\r\\nhello\"}");
            MimeMessage mail = await(1)[0];
            assertEquals(
                    "Forewarn: reboot of FrontEnd_IN_0 is scheduled for " + tokyo(start.plus(Duration.ofMinutes(15))),
                    mail.getSubject());
            assertEquals("forewarn@example.org", mail.getFrom()[0].toString());
            assertEquals("ops@example.org", mail.getAllRecipients()[0].toString());
            assertEquals(1, mail.getAllRecipients().length);
            String text = mail.getContent().toString();
            assertTrue(text.contains("Machines: FrontEnd_IN_0"), text);
            assertTrue(text.contains("Notice: 15m promised"), text);
            assertTrue(mail.getMessageID().matches("<\\d+\\.0-[0-9a-f]{8}\\.ops@example\\.org>"), mail.getMessageID());
            harness.post("/v1/clock/advance", "{\"by\":\"15m\"}");
            MimeMessage next = await(2)[1];
            assertEquals(
                    "Forewarn: reboot of FrontEnd_IN_0 started at " + tokyo(start.plus(Duration.ofMinutes(15))),
                    next.getSubject());
            String thread = mail.getHeader("In-Reply-To", null);
            assertTrue(thread.matches("<event-[0-9A-F-]{36}\\.ops@example\\.org>"), thread);
            assertEquals(thread, next.getHeader("In-Reply-To", null));
            assertEquals(thread, next.getHeader("References", null));
        }
    }

    private static String tokyo(Instant time) {
        return DateTimeFormatter.ofPattern("EEE d MMM yyyy HH:mm 'Asia/Tokyo'", Locale.ROOT)
                .format(time.atZone(ZoneId.of("Asia/Tokyo")));
    }

    @Test
    void mailAboutARolloutIsOneThread() throws Exception {
        try (ControlHarness harness = harnessWith()) {
            add(harness, "ops", ",\"kinds\":[\"scheduled\",\"rollout-started\"]");
            harness.post("/v1/rollouts", "{\"name\":\"os-1\",\"type\":\"reboot\",\"groups\":[\"web\"]}");
            harness.post("/v1/clock/advance", "{\"by\":\"1s\"}");
            for (MimeMessage mail : await(2)) {
                assertTrue(
                        mail.getHeader("References", null).startsWith("<rollout-os-1.ops@example.org>"),
                        mail.getHeader("References", null));
                assertTrue(mail.getSubject().contains("os-1"), mail.getSubject());
            }
        }
    }

    @Test
    void theStartOfARolloutIsOneMailToEachTenantWithItsMachinesAndTimes() throws Exception {
        try (ControlHarness harness = harnessWith()) {
            harness.put("/v1/fleet", """
                    machines:
                      - {name: till-1, tenant: shop, host: h1}
                      - {name: till-2, tenant: shop, host: h2}
                      - {name: vault, tenant: bank, host: h1}
                    """);
            harness.post("/v1/clock/set", "{\"to\":\"2040-01-04T12:00:00Z\"}");
            add(harness, "shop", ",\"tenant\":\"shop\",\"zone\":\"Europe/Berlin\"");
            Reply started = harness.post(
                    "/v1/rollouts",
                    "{\"name\":\"os-nov\",\"type\":\"reboot\",\"hosts\":[\"h1\",\"h2\"],\"notice\":\"1h\","
                            + "\"at\":\"2040-01-06T21:00:00Z\"}");
            assertEquals(200, started.status(), started.error());
            MimeMessage mail = await(1)[0];
            assertEquals(
                    "Forewarn: reboot of till-1, till-2 is planned, from Fri 6 Jan 2040 22:00 Europe/Berlin (rollout os-nov)",
                    mail.getSubject());
            String text = mail.getContent().toString();
            assertTrue(text.contains("Fri 6 Jan 2040 22:00 Europe/Berlin till-1"), text);
            assertFalse(text.contains("bank") || text.contains("vault"), text);
            JsonNode told = eventually(
                    () -> harness.get("/v1/mail-subscriptions/shop%2Fshop").json(),
                    it -> it.path("delivered").asInt() == 1);
            assertEquals(0, told.path("pending").asInt(), told.toString());
        }
    }

    @Test
    void aNightIsOneMailInTheOrderOfTheWork() throws Exception {
        try (ControlHarness harness = harnessWith()) {
            harness.post("/v1/clock/set", "{\"to\":\"2040-01-02T18:00:00Z\"}");
            add(harness, "night", ",\"digest\":\"daily\",\"zone\":\"Europe/Berlin\"");
            add(harness, "now", ",\"kinds\":[\"completed\"]");
            harness.post("/v1/policies", "{\"tenant\":\"default\",\"userOperations\":1000}");
            for (int i = 0; i < 3; i++) {
                Reply reply = harness.post(
                        "/v1/machines/FrontEnd_IN_" + i + "/restart", "{\"notice\":\"" + (60 - i) + "m\"}");
                assertEquals(200, reply.status(), reply.error());
            }
            harness.post("/v1/clock/advance", "{\"by\":\"2h\"}");
            assertEquals(3, await(3).length, "only those that are sent at once");
            JsonNode waiting = harness.get("/v1/mail-subscriptions/night").json();
            assertEquals("daily", waiting.path("digest").asText());
            assertEquals("2040-01-03T07:00:00Z", waiting.path("nextDigest").asText());
            assertEquals(9, waiting.path("pending").asInt());
            harness.post("/v1/clock/set", "{\"to\":\"2040-01-03T07:00:00Z\"}");
            MimeMessage digest = await(4)[3];
            assertTrue(
                    digest.getSubject().startsWith("Forewarn: 9 notifications, first: reboot of "),
                    digest.getSubject());
            List<String> lines = digest.getContent()
                    .toString()
                    .lines()
                    .filter(line -> line.contains("is scheduled for"))
                    .filter(line -> line.startsWith("* "))
                    .map(line -> line.replaceAll(".*FrontEnd_IN_(\\d).*", "$1"))
                    .toList();
            assertEquals(List.of("2", "1", "0"), lines);
            JsonNode told = eventually(
                    () -> harness.get("/v1/mail-subscriptions/night").json(),
                    mail -> mail.path("pending").asInt() == 0);
            assertEquals(9, told.path("delivered").asInt());
            assertEquals("2040-01-04T07:00:00Z", told.path("nextDigest").asText());
        }
    }

    @Test
    void aDigestSurvivesARestartBeforeItIsSent() throws Exception {
        try (ControlHarness harness = harnessWith()) {
            harness.post("/v1/clock/set", "{\"to\":\"2040-01-02T18:00:00Z\"}");
            add(harness, "ops", ",\"digest\":\"hourly\"");
            harness.post("/v1/machines/FrontEnd_IN_0/restart", "");
            harness.post("/v1/clock/advance", "{\"by\":\"1s\"}");
        }
        try (ControlHarness harness = harnessWith()) {
            harness.post("/v1/machines/FrontEnd_IN_1/restart", "");
            harness.post("/v1/clock/advance", "{\"by\":\"1h\"}");
            String text = await(1)[0].getContent().toString();
            assertTrue(text.contains("* reboot of FrontEnd_IN_0 is scheduled for "), text);
            assertTrue(text.contains("* reboot of FrontEnd_IN_1 is scheduled for "), text);
        }
    }

    @Test
    void aDigestThatCannotBeSentIsResentWhole() throws Exception {
        post.stop();
        Map<String, String> twice = new HashMap<>(settings());
        twice.put("notifications.max-attempts", "2");
        try (ControlHarness harness = new ControlHarness(folder, twice)) {
            harness.post("/v1/clock/set", "{\"to\":\"2040-01-02T18:00:00Z\"}");
            add(harness, "ops", ",\"digest\":\"hourly\"");
            harness.post("/v1/machines/FrontEnd_IN_0/restart", "");
            harness.post("/v1/machines/FrontEnd_IN_1/restart", "");
            harness.post("/v1/clock/advance", "{\"by\":\"1h\"}");
            JsonNode letters = eventually(
                    () -> harness.get("/v1/mail-subscriptions/ops/dead-letters")
                            .json()
                            .path("deadLetters"),
                    found -> found.size() == 1);
            assertEquals("digest", letters.get(0).path("kind").asText());
            startPost();
            assertEquals(
                    1,
                    harness.post("/v1/mail-subscriptions/ops/resend", "")
                            .json()
                            .path("changes")
                            .asInt());
            String text = await(1)[0].getContent().toString();
            assertTrue(text.contains("FrontEnd_IN_0") && text.contains("FrontEnd_IN_1"), text);
            eventually(
                    () -> harness.get("/v1/mail-subscriptions/ops").json(),
                    mail -> mail.path("deadLetters").asInt() == 0);
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
            assertTrue(await(1)[0].getSubject().startsWith("Forewarn: reboot of FrontEnd_IN_0 is scheduled for "));
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
        startPost();
        try (ControlHarness harness = harnessWith()) {
            List<String> subjects = Arrays.stream(await(3))
                    .map(m -> {
                        try {
                            return m.getSubject().replaceAll(".* FrontEnd_IN_0 (.*) (for|at) .*", "$1");
                        } catch (MessagingException broken) {
                            return broken.toString();
                        }
                    })
                    .toList();
            assertEquals(List.of("is scheduled", "started", "was done"), subjects);
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
            String known = "{\"name\":\"a\",\"to\":[\"a@b.c\"],%s}";
            for (Map.Entry<String, String> wrong : Map.of(
                            "\"digest\":\"weekly\"", "digest must be now, hourly or daily, not 'weekly'",
                            "\"zone\":\"Europe/Berln\"", "there is no time zone Europe/Berln",
                            "\"format\":\"slack\"", "mail has no format")
                    .entrySet()) {
                Reply reply = harness.post("/v1/mail-subscriptions", known.formatted(wrong.getKey()));
                assertEquals(400, reply.status(), wrong.getKey());
                assertTrue(reply.error().startsWith(wrong.getValue()), reply.error());
            }
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
