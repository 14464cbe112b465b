package io.forewarn.acceptance.control;

import static io.forewarn.acceptance.control.PrintedPage.assertContains;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.icegreen.greenmail.util.GreenMail;
import com.icegreen.greenmail.util.ServerSetup;
import io.forewarn.store.etcd.Ports;
import jakarta.mail.Message;
import jakarta.mail.MessagingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs what {@code docs/people.md} prints, in one shell as a reader would, against a real mail server and a real
 * receiver, and compares what is printed where the page shows it. With {@code -Ddocs.update=true} the page is given
 * what was printed.
 */
// Takes more than 20 s: the page has about a hundred commands, and each starts a process.
final class PeoplePageIT {
    private static final Path PAGE = Path.of("../docs/people.md");
    private static final PrintedPage PRINTED = new PrintedPage(PAGE);

    @TempDir
    private Path folder;

    @Test
    void everyLineWorksAsPrinted() throws Exception {
        GreenMail post = new GreenMail(new ServerSetup(0, "127.0.0.1", ServerSetup.PROTOCOL_SMTP));
        post.start();
        String page = Files.readString(PAGE);
        Path config = Files.writeString(
                folder.resolve("forewarn.yaml"),
                settings(page).replace("2525", String.valueOf(post.getSmtp().getPort())));
        Program program = new Program(folder).with("HOME", folder.toString());
        try (ServerProcess serverProcess =
                new ServerProcess(program, "--config", config.toString(), "--clock", "manual", "--profile", "test")) {
            program.with("FOREWARN_URL", serverProcess.url());
            program.run("clock", "set", "2040-01-02T12:00:00Z").ended(0);
            String receiver = String.valueOf(Ports.free());
            List<String> outputs =
                    PRINTED.runInOneShell(program, serverProcess, script -> script.replace("9000", receiver));
            people(outputs);
            notices(outputs.subList(6, 15), post);
            PRINTED.shows(outputs, 3);
            assertContains(
                    outputs.get(19),
                    "restart shop/till-1",
                    "person shop-team from 127.0.0.1",
                    "remove token till-eyes");
            assertContains(outputs.get(20), "intact   yes", "dropped  ", "head");
            assertTrue(Files.readString(folder.resolve("openapi.json")).startsWith("{\"openapi\":\"3.1.0\""));
            assertEquals(22, outputs.size());
        } finally {
            post.stop();
        }
    }

    private static void people(List<String> outputs) {
        assertContains(outputs.get(0), "shop", "till-1, till-2", "viewer", "owner", "2040-04-01T12:00:00Z");
        assertContains(outputs.get(1), "till-1", "there is no machine default/db-1", "No rollouts.", "till-eyes");
        assertFalse(outputs.get(1).contains("auditor"), outputs.get(1));
        assertContains(
                outputs.get(2),
                "FrontEnd_IN_0",
                "till-2",
                "this needs an owner or operator",
                "refused, as it should be");
        assertContains(
                outputs.get(3),
                "it was not given to tenant shop",
                "refused, as it should be",
                "127.0.2.0/24",
                "shop-*",
                "3 of 10000 machines");
        assertContains(outputs.get(4), "shop set");
        assertContains(outputs.get(5), "invalid or expired token", "refused, as it should be");
    }

    private static void notices(List<String> outputs, GreenMail post) {
        assertContains(
                outputs.get(0),
                "delivered",
                "io.forewarn.test ops",
                "io.forewarn.event.scheduled",
                "io.forewarn.event.started",
                "io.forewarn.event.completed");
        assertContains(outputs.get(1), "No dead letters.", "0 dead letters are being resent");
        assertContains(outputs.get(2), "added night", "started, failed", "night removed");
        assertContains(outputs.get(3), "added chat", "slack", "Europe/Berlin", "chat removed");
        assertContains(outputs.get(4), "169.254.169.254 is link-local", "refused, as it should be");
        assertContains(outputs.get(5), "delivered", "ops@example.org");
        assertEquals(
                List.of(
                        "Forewarn: test of ops",
                        "Forewarn: freeze of FrontEnd_IN_1 is scheduled for Mon 2 Jan 2040 12:35 UTC"),
                Arrays.stream(post.getReceivedMessages())
                        .limit(2)
                        .map(PeoplePageIT::subject)
                        .toList());
        assertContains(outputs.get(6), "added night", "hourly, next 2040-01-02T13:00:00Z", "Europe/Berlin");
        assertContains(outputs.get(7), "io.forewarn.event.started", "io.forewarn.event.completed", "id: ");
        assertContains(
                outputs.get(7),
                "scheduled  reboot (restart)  web  FrontEnd_IN_0",
                "started-by-time  reboot (restart)  web  FrontEnd_IN_0");
        assertContains(
                outputs.get(8),
                "shop-work",
                "calendar",
                "default/web",
                "all, rollout os-1",
                "refused, as it should be");
    }

    private static String settings(String page) {
        Matcher yaml = Pattern.compile("```yaml\\n(.*?)```", Pattern.DOTALL).matcher(page);
        assertTrue(yaml.find());
        return yaml.group(1);
    }

    private static String subject(Message mail) {
        try {
            return mail.getSubject();
        } catch (MessagingException broken) {
            return broken.toString();
        }
    }
}
