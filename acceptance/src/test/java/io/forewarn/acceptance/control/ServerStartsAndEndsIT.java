package io.forewarn.acceptance.control;

import static io.forewarn.core.Eventually.eventually;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.forewarn.acceptance.control.Program.Run;
import io.forewarn.acceptance.deploy.StoreChoice;
import io.forewarn.store.etcd.Ports;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

// Takes more than 20 s: it starts and ends many servers.
final class ServerStartsAndEndsIT {
    @TempDir
    private Path folder;

    private Program program;

    @BeforeEach
    void open() {
        program = new Program(folder);
    }

    @Test
    void aServerStopsGracefully() throws Exception {
        ServerProcess serverProcess = new ServerProcess(program);
        Path token = token(serverProcess);
        assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(token)));
        Run run = serverProcess.end();
        assertEquals(128 + 15, run.code());
        assertTrue(run.err().endsWith("ended\n"), run.err());
        assertFalse(Files.exists(token));
        program.with("FOREWARN_URL", serverProcess.url()).run("status").ended(3);
    }

    @Test
    void aKilledServersTokenOpensNothingAtItsSuccessor() throws Exception {
        String control = "127.0.0.1:" + Ports.free();
        ServerProcess first = new ServerProcess(program, "--control", control);
        String old = Files.readString(token(first)).strip();
        first.kill();
        try (ServerProcess second = new ServerProcess(program, "--control", control)) {
            program.with("FOREWARN_URL", second.url()).run("status").ended(0);
            HttpRequest request = HttpRequest.newBuilder(URI.create(second.url() + "/v1/status"))
                    .header("Authorization", "Bearer " + old)
                    .build();
            assertEquals(
                    401,
                    HttpClient.newHttpClient()
                            .send(request, BodyHandlers.ofString())
                            .statusCode());
        }
    }

    @Tag(StoreChoice.ONCE)
    @Test
    void aStoreInUseAndATakenPortAreRefusedWithASentence() throws Exception {
        try (ServerProcess serverProcess = new ServerProcess(program)) {
            Run store = program.run("serve", "--metadata", "127.0.0.1:0", "--control", "127.0.0.1:0")
                    .ended(1);
            assertTrue(store.err().contains("forewarn-data"), store.err());
            assertFalse(store.err().contains("Exception"), store.err());
            Run control = program.run(
                            "serve",
                            "--store",
                            "sqlite:other",
                            "--metadata",
                            "127.0.0.1:0",
                            "--control",
                            serverProcess.control())
                    .ended(1);
            assertTrue(
                    control.err().contains(serverProcess.control())
                            && control.err().contains("--control"),
                    control.err());
            Run metadata = program.run(
                            "serve",
                            "--store",
                            "sqlite:other",
                            "--metadata",
                            serverProcess.metadata(),
                            "--control",
                            "127.0.0.1:0")
                    .ended(1);
            assertTrue(
                    metadata.err().contains(serverProcess.metadata())
                            && metadata.err().contains("--metadata"),
                    metadata.err());
            program.with("FOREWARN_URL", "http://127.0.0.1:1");
            Run doctor = program.run("doctor", "--metadata", serverProcess.metadata(), "--control", "127.0.0.1:0")
                    .ended(1);
            assertTrue(doctor.out().contains("port: the metadata address " + serverProcess.metadata()), doctor.out());
            assertTrue(doctor.out().contains("store: "), doctor.out());
        }
    }

    @Test
    @Tag(StoreChoice.ONCE)
    void aWrongFleetOrSettingsFileStopsTheStartWithAllItsFaults() throws Exception {
        Path fleet =
                Files.writeString(folder.resolve("fleet.yaml"), "machines:\n  - {nam: a}\n  - {name: b, spot: 3}\n");
        Run run = program.run(
                        "serve", "--fleet", fleet.toString(), "--metadata", "127.0.0.1:0", "--control", "127.0.0.1:0")
                .ended(1);
        assertTrue(run.err().contains("line 2: unknown key 'nam'; did you mean 'name'?"), run.err());
        assertTrue(run.err().contains("line 3: 'spot' must be true or false"), run.err());
        Path config = Files.writeString(folder.resolve("config.yaml"), "terms:\n  disable-afer: 1h\n  recovery: 5\n");
        Run settings = program.run("serve", "--config", config.toString()).ended(2);
        assertTrue(settings.err()
                .contains("line 2: unknown key 'terms.disable-afer'; did you mean 'terms.disable-after'?"));
        assertTrue(settings.err().contains("line 3: 'terms.recovery' must be a duration"), settings.err());
    }

    @Test
    @Tag(StoreChoice.ONCE)
    void settingsComeFromFileEnvironmentAndFlagsAndAreLogged() throws Exception {
        Path config = Files.writeString(
                folder.resolve("config.yaml"),
                "terms: {recovery: 5m}\nidentity: {proxies: [10.0.0.1], secret: hush}\n");
        program.with("FOREWARN_TERMS_USER_OPERATIONS", "3");
        try (ServerProcess serverProcess =
                new ServerProcess(program, "--config", config.toString(), "--set", "terms.disable-after=2h")) {
            String told = serverProcess.said().err();
            assertTrue(told.contains("what=setting key=terms.recovery value=5m from=\"" + config + " line 1\""), told);
            assertTrue(told.contains("key=terms.user-operations value=3 from=FOREWARN_TERMS_USER_OPERATIONS"), told);
            assertTrue(told.contains("key=terms.disable-after value=2h from=flag"), told);
            assertTrue(told.contains("key=identity.secret value=***"), told);
            assertFalse(told.contains("hush"), told);
        }
    }

    @Test
    @Tag(StoreChoice.ONCE)
    void controlSpeaksTls() throws Exception {
        LoopbackCertificate loopbackCertificate = LoopbackCertificate.make(folder);
        try (ServerProcess serverProcess = new ServerProcess(
                program,
                "--tls-cert",
                loopbackCertificate.chain().toString(),
                "--tls-key",
                loopbackCertificate.key().toString())) {
            program.with("FOREWARN_URL", "https://" + serverProcess.control());
            Run untrusted = program.run("status").ended(3);
            assertTrue(
                    untrusted.err().contains("not trusted") && untrusted.err().contains("FOREWARN_CA=FILE"),
                    untrusted.err());
            assertTrue(
                    serverProcess
                            .said()
                            .out()
                            .contains("FOREWARN_CA=" + loopbackCertificate.chain() + " FOREWARN_URL=https://"),
                    serverProcess.said().out());
            program.with("FOREWARN_CA", loopbackCertificate.chain().toString());
            program.run("status").ended(0);
            String other = "https://localhost:" + serverProcess.control().split(":")[1];
            Run misnamed = program.run("status", "--url", other).ended(3);
            assertTrue(misnamed.err().contains("another name"), misnamed.err());
            program.with("FOREWARN_URL", "http://" + serverProcess.control());
            Run plain = program.run("status").ended(3);
            assertTrue(plain.err().contains("https://" + serverProcess.control() + " would be right"), plain.err());
            Run doctor = program.run("doctor").ended(1);
            assertEquals(
                    1, doctor.out().lines().filter(l -> l.startsWith("  fix: ")).count(), doctor.out());
        }
    }

    @Test
    @Tag(StoreChoice.ONCE)
    void aRenewedCertificateIsShownWithoutARestart() throws Exception {
        LoopbackCertificate old = LoopbackCertificate.make(Files.createDirectories(folder.resolve("old")));
        LoopbackCertificate renewed = LoopbackCertificate.make(Files.createDirectories(folder.resolve("new")));
        Path chain = Files.copy(old.chain(), folder.resolve("shown.pem"));
        Path key = Files.copy(old.key(), folder.resolve("shown.key"));
        try (ServerProcess serverProcess =
                new ServerProcess(program, "--tls-cert", chain.toString(), "--tls-key", key.toString())) {
            program.with("FOREWARN_URL", "https://" + serverProcess.control());
            program.run("status", "--ca", old.chain().toString()).ended(0);
            Files.copy(renewed.chain(), chain, StandardCopyOption.REPLACE_EXISTING);
            eventually(() -> serverProcess.said().err().contains("the key belongs to another"));
            assertTrue(
                    serverProcess.said().err().contains("what=tls-not-read"),
                    serverProcess.said().err());
            program.run("status", "--ca", old.chain().toString()).ended(0);
            Files.copy(renewed.key(), key, StandardCopyOption.REPLACE_EXISTING);
            eventually(() -> serverProcess.said().err().contains("what=tls-read"));
            program.run("status", "--ca", renewed.chain().toString()).ended(0);
            program.run("status", "--ca", old.chain().toString()).ended(3);
            Run none = program.run("status", "--ca", "nosuch.pem").ended(1);
            assertTrue(none.err().contains("nosuch.pem of --ca or FOREWARN_CA does not exist"), none.err());
        }
    }

    @Test
    @Tag(StoreChoice.ONCE)
    void errorsAboutTlsFilesNameTheFiles() throws Exception {
        LoopbackCertificate loopbackCertificate = LoopbackCertificate.make(folder);
        Run missing = program.run(
                        "serve",
                        "--control",
                        "127.0.0.1:0",
                        "--tls-cert",
                        "nosuch.pem",
                        "--tls-key",
                        loopbackCertificate.key().toString())
                .ended(1);
        assertTrue(missing.err().contains("tls-cert names nosuch.pem"), missing.err());
        Run swapped = program.run(
                        "serve",
                        "--control",
                        "127.0.0.1:0",
                        "--tls-cert",
                        loopbackCertificate.key().toString(),
                        "--tls-key",
                        loopbackCertificate.chain().toString())
                .ended(1);
        assertTrue(swapped.err().contains("tls-key " + loopbackCertificate.chain()), swapped.err());
        assertFalse(swapped.err().contains("--control HOST:PORT"), swapped.err());
        LoopbackCertificate other = LoopbackCertificate.make(Files.createDirectories(folder.resolve("other")));
        Run mixed = program.run(
                        "serve",
                        "--control",
                        "127.0.0.1:0",
                        "--tls-cert",
                        loopbackCertificate.chain().toString(),
                        "--tls-key",
                        other.key().toString())
                .ended(1);
        assertTrue(mixed.err().contains("the key belongs to another certificate"), mixed.err());
    }

    @Test
    @Tag(StoreChoice.ONCE)
    void metadataAndControlAddressesAreDistinguished() throws Exception {
        try (ServerProcess serverProcess = new ServerProcess(program)) {
            Run asked = program.run("status", "--url", "http://" + serverProcess.metadata())
                    .ended(1);
            assertTrue(asked.err().contains("is the metadata endpoint"), asked.err());
        }
    }

    private Path token(ServerProcess serverProcess) throws IOException {
        return folder.resolve(".forewarn/run/" + serverProcess.control().replace(':', '_') + ".token");
    }
}
