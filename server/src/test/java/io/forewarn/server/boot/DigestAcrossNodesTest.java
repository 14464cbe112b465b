package io.forewarn.server.boot;

import static io.forewarn.core.Eventually.eventually;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.icegreen.greenmail.util.GreenMail;
import com.icegreen.greenmail.util.ServerSetup;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two nodes on a real etcd, one of which is lost before a digest is due. */
final class DigestAcrossNodesTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    private static final String HOURLY =
            "{\"name\":\"ops\",\"to\":[\"ops@example.org\"],\"kinds\":[\"scheduled\"],\"digest\":\"hourly\"}";

    @TempDir
    private Path folder;

    @Test
    void theNextWriterSendsTheWholeDigest() throws Exception {
        GreenMail post = new GreenMail(new ServerSetup(0, "127.0.0.1", ServerSetup.PROTOCOL_SMTP));
        post.start();
        Map<String, String> settings = Map.of(
                "cluster.lease", "3s",
                "profile", "test",
                "clock.kind", "manual",
                "notifications.smtp.host", "127.0.0.1",
                "notifications.smtp.port", String.valueOf(post.getSmtp().getPort()),
                "notifications.smtp.tls", "none",
                "notifications.smtp.from", "forewarn@example.org");
        try (ServicesOnEtcd on = new ServicesOnEtcd(folder)) {
            Service first = on.start(settings);
            try (Service second = on.start(settings)) {
                try {
                    on.ask(first.control(), "POST", "/v1/mail-subscriptions", HOURLY, 200);
                    on.ask(first.control(), "POST", "/v1/machines/FrontEnd_IN_0/restart", "", 200);
                    JsonNode waiting =
                            JSON.readTree(on.ask(second.control(), "GET", "/v1/mail-subscriptions/ops", "", 200));
                    assertEquals("hourly", waiting.path("digest").asText());
                    assertTrue(waiting.has("nextDigest"), waiting.toString());
                } finally {
                    first.close();
                }
                restart(on, second);
                assertEquals(0, post.getReceivedMessages().length);
                on.ask(second.control(), "POST", "/v1/clock/advance", "{\"by\":\"1h\"}", 200);
                eventually(() -> post.getReceivedMessages().length == 1);
                String text = post.getReceivedMessages()[0].getContent().toString();
                assertTrue(text.contains("reboot of FrontEnd_IN_0") && text.contains("reboot of FrontEnd_IN_1"), text);
            }
        } finally {
            post.stop();
        }
    }

    /** As soon as the other node writes. */
    private static void restart(ServicesOnEtcd on, Service node) {
        eventually(
                () -> on.send(ServicesOnEtcd.request(node.control(), "POST", "/v1/machines/FrontEnd_IN_1/restart", ""))
                                .statusCode()
                        == 200);
    }
}
