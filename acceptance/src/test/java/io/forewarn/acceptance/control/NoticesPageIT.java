package io.forewarn.acceptance.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.icegreen.greenmail.util.GreenMail;
import com.icegreen.greenmail.util.ServerSetup;
import io.forewarn.acceptance.control.Program.Run;
import jakarta.mail.Message;
import jakarta.mail.MessagingException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs what {@code docs/people.md} prints of webhooks, mail and the stream, block by block. */
final class NoticesPageIT {
    private static final Path PAGE = Path.of("../docs/people.md");
    private static final List<String> PARTS = List.of("Webhooks", "Mail", "The stream");

    @TempDir
    private Path folder;

    @Test
    void everyCommandAboutNoticesWorksAsPrinted() throws Exception {
        GreenMail post = new GreenMail(new ServerSetup(0, "127.0.0.1", ServerSetup.PROTOCOL_SMTP));
        post.start();
        String receiver = String.valueOf(freePort());
        String page = page();
        Path config = Files.writeString(
                folder.resolve("forewarn.yaml"),
                blocks(page, "yaml")
                        .get(0)
                        .replace("2525", String.valueOf(post.getSmtp().getPort())));
        Program program = new Program(folder).with("HOME", folder.toString());
        try (Serving serving =
                new Serving(program, "--config", config.toString(), "--clock", "manual", "--profile", "test")) {
            program.with("FOREWARN_URL", serving.url());
            List<String> said = new ArrayList<>();
            for (String block : blocks(page, "bash")) {
                Run run = program.shell("set -e\n"
                                + block.replace("9000", receiver).replace("127.0.0.1:8170", serving.control()))
                        .ended(0);
                said.add(run.out() + run.err());
            }
            assertEquals(6, said.size());
            tells(
                    said.get(0),
                    "delivered",
                    "io.forewarn.test ops",
                    "io.forewarn.event.scheduled",
                    "io.forewarn.event.started",
                    "io.forewarn.event.completed");
            tells(said.get(1), "No dead letters.", "0 letters are tried again");
            tells(said.get(2), "night is told of what happens from now on", "started, failed", "night removed");
            tells(said.get(3), "169.254.169.254 is link-local", "refused, as it should be");
            tells(said.get(4), "delivered", "ops@example.org");
            assertEquals(
                    List.of("Forewarn: test of ops", "Forewarn: freeze of FrontEnd_IN_1 is scheduled"),
                    Arrays.stream(post.getReceivedMessages())
                            .map(NoticesPageIT::subject)
                            .toList());
            tells(said.get(5), "io.forewarn.event.started", "io.forewarn.event.completed", "id: ");
        } finally {
            post.stop();
        }
    }

    private static String subject(Message mail) {
        try {
            return mail.getSubject();
        } catch (MessagingException broken) {
            return broken.toString();
        }
    }

    private static int freePort() throws Exception {
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
            return free.getLocalPort();
        }
    }

    private static void tells(String said, String... parts) {
        for (String part : parts) {
            assertTrue(said.contains(part), () -> "'" + part + "' is not in: " + said);
        }
        assertFalse(said.contains("Exception"), said);
    }

    /** The parts of the page that are about notices. */
    private static String page() throws Exception {
        StringBuilder page = new StringBuilder();
        for (String part : Files.readString(PAGE).split("(?m)^## ")) {
            if (PARTS.contains(part.lines().findFirst().orElse(""))) {
                page.append(part);
            }
        }
        return page.toString();
    }

    private static List<String> blocks(String page, String language) {
        List<String> blocks = new ArrayList<>();
        Matcher block = Pattern.compile("```" + language + "\\n(.*?)```", Pattern.DOTALL)
                .matcher(page);
        while (block.find()) {
            blocks.add(block.group(1));
        }
        return blocks;
    }
}
