package io.forewarn.acceptance.control;

import static io.forewarn.core.Eventually.eventually;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.forewarn.acceptance.deploy.StoreChoice;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The links to the console: those that {@code docs/console.md} has printed, and the one of {@code serve}. */
@Tag(StoreChoice.ONCE)
final class ConsolePageIT {
    private static final Pattern LINK = Pattern.compile("(http://[\\d.:]+)/console/#sign-in=(fwl_[\\w-]+)");
    private static final Path SCRIPT = Path.of("/usr/bin/script");

    @TempDir
    private Path folder;

    private static HttpResponse<String> open(Matcher link) throws Exception {
        HttpRequest signIn = HttpRequest.newBuilder(URI.create(link.group(1) + "/v1/session"))
                .header("Authorization", "Bearer " + link.group(2))
                .POST(BodyPublishers.noBody())
                .build();
        return HttpClient.newHttpClient().send(signIn, BodyHandlers.ofString());
    }

    @Test
    void theLinkOfThePageSignsInOnceAndTheServersOutputHasNone() throws Exception {
        Program program = new Program(folder).with("HOME", folder.toString());
        try (ServerProcess server = new ServerProcess(program, "--clock", "manual", "--profile", "test")) {
            List<String> said = new PrintedPage(Path.of("../docs/console.md")).run(program, server, 1);
            Matcher link = LINK.matcher(said.get(0));
            assertTrue(link.find(), said.get(0));
            assertEquals(200, open(link).statusCode());
            assertEquals(401, open(link).statusCode());
            assertFalse(server.said().toString().contains("fwl_"), "a journal may keep what a server prints");
        }
    }

    @Test
    void inATerminalServePrintsALink() throws Exception {
        assumeTrue(Files.isExecutable(SCRIPT), "script is not installed (Debian package bsdutils)");
        Program program = new Program(folder).with("HOME", folder.toString());
        Path shown = folder.resolve("terminal");
        String serve = String.join(
                " ",
                program.command(
                        "serve",
                        "--metadata",
                        "127.0.0.1:0",
                        "--control",
                        "127.0.0.1:0",
                        "--store",
                        "sqlite:" + folder.resolve("data")));
        Process terminal = program.start(List.of(SCRIPT.toString(), "-qfec", "exec " + serve, shown.toString()));
        try {
            eventually(
                    () -> "no link was printed",
                    () -> Files.exists(shown)
                            && LINK.matcher(Files.readString(shown)).find());
            Matcher link = LINK.matcher(Files.readString(shown));
            assertTrue(link.find());
            eventually(() -> "the link does not sign in", () -> open(link).statusCode() == 200);
        } finally {
            terminal.descendants().forEach(ProcessHandle::destroy);
            terminal.destroy();
            terminal.waitFor();
        }
    }
}
