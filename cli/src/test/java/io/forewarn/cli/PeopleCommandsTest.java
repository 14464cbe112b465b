package io.forewarn.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.forewarn.server.boot.Service;
import io.forewarn.server.log.Log;
import io.forewarn.server.log.LogFormat;
import io.forewarn.server.settings.LoadedSettings;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is said about tokens, tenants and those who are told, by the command line beside a running service. */
final class PeopleCommandsTest {
    @TempDir
    private Path folder;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private ServerSocket post;
    private Service service;

    @BeforeEach
    void open() throws Exception {
        post = new ServerSocket(0, 10, InetAddress.getByName("127.0.0.1"));
        Thread postman = new Thread(this::takeMail, "postman");
        postman.setDaemon(true);
        postman.start();
        Map<String, String> settings = Map.of(
                "listen.metadata", "127.0.0.1:0",
                "listen.control", "127.0.0.1:0",
                "store.location", "sqlite:" + folder.resolve("data"),
                "notifications.smtp.host", "127.0.0.1",
                "notifications.smtp.port", String.valueOf(post.getLocalPort()),
                "notifications.smtp.tls", "none",
                "notifications.smtp.from", "forewarn@example.org");
        service = Service.start(
                LoadedSettings.load(null, Map.of(), settings).settings(),
                Log.to(line -> {}, LogFormat.LOGFMT),
                died -> {});
        assertEquals(ExitCode.DONE, run("token", "add", "team", "--role", "owner", "--tenant", "shop"), err.toString());
    }

    @AfterEach
    void close() throws IOException {
        service.close();
        post.close();
    }

    /** A mail server that knows everybody but ann. */
    private void takeMail() {
        while (!post.isClosed()) {
            try (Socket line = post.accept();
                    PrintWriter says = new PrintWriter(line.getOutputStream(), true, StandardCharsets.US_ASCII);
                    BufferedReader hears = new BufferedReader(
                            new InputStreamReader(line.getInputStream(), StandardCharsets.US_ASCII))) {
                says.print("220 here\r\n");
                says.flush();
                converse(hears, says);
            } catch (SocketException over) {
                continue;
            } catch (IOException lost) {
                return;
            }
        }
    }

    private static void converse(BufferedReader hears, PrintWriter says) throws IOException {
        boolean data = false;
        for (String said = hears.readLine(); said != null; said = hears.readLine()) {
            String word = said.toUpperCase(Locale.ROOT);
            if (data && !said.equals(".")) {
                continue;
            }
            String answer = data ? "250 taken" : "250 fine";
            data = word.equals("DATA");
            if (data) {
                answer = "354 go on";
            } else if (word.startsWith("RCPT TO:<ANN@")) {
                answer = "550 no such user";
            }
            says.print(answer + "\r\n");
            says.flush();
        }
    }

    private int run(String... args) {
        out.getBuffer().setLength(0);
        err.getBuffer().setLength(0);
        String[] all = Arrays.copyOf(args, args.length + 2);
        all[args.length] = "--url";
        all[args.length + 1] = "http://" + service.control();
        return Main.run(new PrintWriter(out, true), new PrintWriter(err, true), all);
    }

    @Test
    void theListOfMailSaysWhenTheNextDigestIsSent() {
        assertEquals(
                ExitCode.DONE,
                run("mail", "add", "night", "--to", "bob@example.org", "--digest", "daily", "--zone", "Asia/Tokyo"),
                err.toString());
        assertEquals(ExitCode.DONE, run("mail", "list"));
        assertTrue(out.toString().matches("(?s).* daily, next \\d{4}-\\d\\d-\\d\\dT23:00:00Z .*"), out.toString());
        assertEquals(ExitCode.DONE, run("mail", "show", "night"));
        assertTrue(out.toString().contains("Asia/Tokyo"), out.toString());
        assertEquals(
                ExitCode.WRONG_USAGE,
                run("mail", "add", "x", "--to", "bob@example.org", "--digest", "weekly"),
                out + err.toString());
        assertTrue(err.toString().contains("digest must be now, hourly or daily, not 'weekly'"), err.toString());
    }

    @Test
    void aCalendarTokenComesWithTheUrlToSubscribeTo() {
        assertEquals(
                ExitCode.DONE,
                run("token", "add", "work", "--role", "calendar", "--tenant", "shop", "--rollout", "os-nov"),
                err.toString());
        String secret = out.toString().lines().reduce((before, last) -> last).orElseThrow();
        assertTrue(err.toString().contains("/v1/calendar.ics?token=" + secret), err.toString());
        assertEquals(ExitCode.DONE, run("token", "list"));
        assertTrue(out.toString().contains("shop, rollout os-nov"), out.toString());
    }

    @Test
    void aTenantIsGivenAddressesHostsAndQuotas() {
        assertEquals(
                ExitCode.DONE,
                run(
                        "tenant",
                        "set",
                        "shop",
                        "--addresses",
                        "10.1.0.0/16,fd00::/64",
                        "--hosts",
                        "rack-*",
                        "--quota",
                        "machines=7,tokens=5"),
                err.toString());
        assertEquals("shop set\n", out.toString());
        assertEquals(ExitCode.DONE, run("tenant", "show", "shop"));
        for (String told : new String[] {"10.1.0.0/16, fd00::/64", "rack-*", "0 of 7 machines", "1 of 5 tokens"}) {
            assertTrue(out.toString().contains(told), out.toString());
        }
        assertEquals(ExitCode.DONE, run("tenant", "set", "shop", "--addresses", "none", "--quota", "tokens=default"));
        assertEquals(ExitCode.DONE, run("tenant", "show", "shop"));
        assertTrue(out.toString().contains("may take addresses  none"), out.toString());
        assertTrue(out.toString().contains("1 of 100 tokens"), out.toString());
        assertEquals(ExitCode.WRONG_USAGE, run("tenant", "set", "shop", "--quota", "machines=many"));
        assertEquals(ExitCode.WRONG_USAGE, run("tenant", "set", "shop", "--addresses", "10.1.2.3/16"));
        assertTrue(err.toString().contains("use 10.1.0.0/16, fd00:7::/64 or 10.1.0.4"), err.toString());
        assertEquals(ExitCode.WRONG_USAGE, run("tenant", "set", "shop"));
        run("tenant", "set", "shpo", "--hosts", "h");
        assertTrue(err.toString().contains("did you mean 'shop'?"), err.toString());
    }

    /** Sent whole, the file would keep the refusal from being read. */
    @Test
    void aFileThatIsTooLargeIsRefusedWithAMessage() throws Exception {
        service.close();
        Map<String, String> settings = Map.of(
                "listen.metadata", "127.0.0.1:0",
                "listen.control", "127.0.0.1:0",
                "store.location", "sqlite:" + folder.resolve("small"),
                "fleet.max-file-bytes", "1000");
        service = Service.start(
                LoadedSettings.load(null, Map.of(), settings).settings(),
                Log.to(line -> {}, LogFormat.LOGFMT),
                died -> {});
        Path file = Files.writeString(folder.resolve("large.yaml"), "# large\n".repeat(2 << 20));
        assertEquals(ExitCode.REFUSED, run("fleet", "apply", file.toString()), err.toString());
        assertTrue(err.toString().contains("accepts no file of this size from you"), err.toString());
    }

    @Test
    void aTokenNeedsARole() {
        assertEquals(ExitCode.WRONG_USAGE, run("token", "add", "x"));
        assertTrue(err.toString().contains("--role is missing: 'operator' may do everything"), err.toString());
        run("token", "list");
        assertFalse(out.toString().contains("x "), out.toString());
    }

    @Test
    void aNewTenantIsWarnedOfInEveryCommand() {
        String[][] commands = {
            {"mail", "add", "b", "--to", "ops@example.org", "--tenant", "shpo"},
            {"webhook", "add", "c", "--to", "https://192.0.3.1/", "--tenant", "shpo"},
            {"vm", "list", "--tenant", "shpo"},
            {"watch", "--no-follow", "--tenant", "shpo"}
        };
        for (String[] command : commands) {
            assertEquals(ExitCode.DONE, run(command), () -> String.join(" ", command) + ": " + err);
            String warning = "warning: there was no tenant 'shpo' yet; did you mean 'shop'?";
            assertTrue(err.toString().contains(warning), () -> String.join(" ", command) + ": " + err);
        }
        assertEquals(ExitCode.DONE, run("token", "add", "a", "--role", "owner", "--tenant", "bank"));
        assertTrue(err.toString().contains("warning: there was no tenant 'bank' yet\n"), err.toString());
        assertEquals(ExitCode.DONE, run("mail", "add", "d", "--to", "ops@example.org", "--tenant", "shop"));
        assertEquals("", err.toString());
        assertEquals(ExitCode.DONE, run("vm", "list", "--tenant", "shop"));
        assertEquals("", err.toString());
    }

    @Test
    void aTestMailThatSomeRecipientsMissedIsNotReportedAsDelivered() {
        run("mail", "add", "all", "--to", "ann@example.org", "--to", "bob@example.org");
        run("mail", "add", "bob", "--to", "bob@example.org");
        assertEquals(ExitCode.REFUSED, run("mail", "test", "all"));
        assertTrue(err.toString().startsWith("delivered to some recipients only: "), err.toString());
        assertTrue(err.toString().contains("ann@example.org: 550 no such user"), err.toString());
        assertEquals("", out.toString());
        assertEquals(ExitCode.REFUSED, run("mail", "test", "all", "--json"));
        assertTrue(out.toString().startsWith("{\"delivered\":true,\"error\":\""), out.toString());
        assertEquals(ExitCode.DONE, run("mail", "test", "bob"), err.toString());
        assertEquals("delivered", out.toString().strip());
    }
}
