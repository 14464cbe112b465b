package io.forewarn.server.settings;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.forewarn.core.RefusedException;
import io.forewarn.core.event.EventType;
import io.forewarn.core.rules.ServiceTerms;
import io.forewarn.server.driver.DriverSettings;
import io.forewarn.wire.control.Durations;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class LoadedSettingsTest {
    @TempDir
    private Path directory;

    @Test
    void withoutAnythingItIsTheContract() {
        LoadedSettings loadedSettings = LoadedSettings.load(null, Map.of(), Map.of());
        Settings settings = loadedSettings.settings();
        assertEquals("127.0.0.1:8169", settings.listen().metadata().toString());
        assertEquals("127.0.0.1:8170", settings.listen().control().toString());
        assertEquals("sqlite:./forewarn-data", settings.store().location());
        assertEquals(ServiceTerms.AZURE, settings.terms().terms());
        assertEquals(5, settings.metadata().limits().requestsPerSecond());
        assertEquals(Duration.ofSeconds(60), settings.clock().resumeGrace());
        assertEquals(List.of(), loadedSettings.differences());
    }

    @Test
    void theTestProfileDiffersInTwoThings() {
        LoadedSettings loadedSettings = LoadedSettings.load(null, Map.of(), Map.of("profile", "test"));
        assertEquals(ServiceTerms.TEST, loadedSettings.settings().terms().terms());
        assertEquals(
                List.of(
                        "profile = test (flag)",
                        "terms.disable-after = 0s (from the profile or clock)",
                        "metadata.requests-per-second = 0 (from the profile or clock)"),
                loadedSettings.differences().stream().map(Object::toString).toList());
    }

    @Test
    void anAdvertisedAddressMustBeUsable() {
        for (String wrong : List.of("node1", "node1:", ":8170", "node1:0", "0.0.0.0:8170", "http://node1:8170")) {
            RefusedException refusal = assertThrows(
                    RefusedException.class,
                    () -> LoadedSettings.load(null, Map.of(), Map.of("cluster.advertise", wrong)));
            assertTrue(refusal.getMessage().contains("'" + wrong + "'"), refusal.getMessage());
            assertTrue(refusal.getMessage().contains("use HOST:PORT"), refusal.getMessage());
        }
        for (String right : List.of("", "node1:8170", "10.0.0.1:8170", "[2001:db8::1]:8170")) {
            Settings settings = LoadedSettings.load(null, Map.of(), Map.of("cluster.advertise", right))
                    .settings();
            assertEquals(right, settings.cluster().advertise());
        }
    }

    @Test
    void aSingleSettingOverridesTheProfile() {
        Settings settings = LoadedSettings.load(null, Map.of(), Map.of("profile", "test", "terms.disable-after", "1h"))
                .settings();
        assertEquals(Duration.ofHours(1), settings.terms().terms().silence());
    }

    @Test
    void howLateAUnitMayBeIsASetting() {
        assertEquals(
                Duration.ofMinutes(5),
                tolerance(Map.of()).settings().terms().terms().tolerance());
        for (String right : List.of("0s", "1m30s", "1d")) {
            Duration tolerated = tolerance(Map.of("terms.slip-tolerance", right))
                    .settings()
                    .terms()
                    .terms()
                    .tolerance();
            assertEquals(right, Durations.print(tolerated));
        }
        RefusedException refused =
                assertThrows(RefusedException.class, () -> tolerance(Map.of("terms.slip-tolerance", "1d1s")));
        assertTrue(
                refused.getMessage().contains("slip-tolerance must be from 0s to 1d, not 1d1s"), refused.getMessage());
    }

    private static LoadedSettings tolerance(Map<String, String> flags) {
        return LoadedSettings.load(null, Map.of(), flags);
    }

    @Test
    void theManualClockNeedsNoGrace() {
        assertEquals(
                Duration.ZERO,
                LoadedSettings.load(null, Map.of(), Map.of("clock.kind", "manual"))
                        .settings()
                        .clock()
                        .resumeGrace());
    }

    @Test
    void flagsWinOverTheEnvironmentWhichWinsOverTheFile() throws IOException {
        Path file = file("""
                terms:
                  notice:
                    reboot: 9m59s
                  user-operations: 20
                  recovery: 5m
                driver:
                  kind: command
                  command:
                    argv: [/usr/bin/do, "it"]
                listen:
                identity: {proxies: [10.0.0.1], secret: hush}
                """);
        Map<String, String> environment =
                Map.of("FOREWARN_TERMS_RECOVERY", "6m", "FOREWARN_TERMS_USER_OPERATIONS", "30");
        LoadedSettings loadedSettings = LoadedSettings.load(file, environment, Map.of("terms.user-operations", "40"));
        Settings settings = loadedSettings.settings();
        assertEquals(Duration.ofSeconds(599), settings.terms().terms().minimumNotice(EventType.REBOOT));
        assertEquals(Duration.ofMinutes(6), settings.terms().recovery());
        assertEquals(40, settings.terms().userOperations());
        assertEquals(DriverSettings.Kind.COMMAND, settings.driver().kind());
        assertEquals(List.of("/usr/bin/do", "it"), settings.driver().command().argv());
        assertEquals(Set.of("10.0.0.1"), settings.identity().proxies());
        assertEquals(
                List.of(
                        "terms.notice.reboot = 9m59s (" + file + " line 3)",
                        "terms.user-operations = 40 (flag)",
                        "terms.recovery = 6m (FOREWARN_TERMS_RECOVERY)",
                        "identity.proxies = 10.0.0.1 (" + file + " line 11)",
                        "identity.secret = *** (" + file + " line 11)",
                        "driver.kind = command (" + file + " line 7)",
                        "driver.command.argv = /usr/bin/do,it (" + file + " line 9)"),
                loadedSettings.differences().stream().map(Object::toString).toList());
    }

    @Test
    void formerNamesKeepWorking() throws IOException {
        Path file = file("""
                impact:
                  driver: command
                  command: {argv: [/usr/bin/do]}
                """);
        Map<String, String> environment =
                Map.of("FOREWARN_NOTICES_SMTP_HOST", "mail.example.org", "FOREWARN_NOTICES_TRIES", "7");
        Map<String, String> flags = Map.of(
                "notices.smtp.from", "forewarn@example.org",
                "impact.simulated.freeze", "1s",
                "metadata.patience", "2s",
                "metadata.idle-timeout", "3s");
        LoadedSettings loadedSettings = LoadedSettings.load(file, environment, flags);
        assertEquals(
                List.of(
                        "metadata.client-timeout = 2s (flag)",
                        "metadata.idle-timeout = 3s (flag)",
                        "driver.kind = command (" + file + " line 2)",
                        "driver.simulated.freeze = 1s (flag)",
                        "driver.command.argv = /usr/bin/do (" + file + " line 3)",
                        "notifications.max-attempts = 7 (FOREWARN_NOTICES_TRIES)",
                        "notifications.smtp.host = mail.example.org (FOREWARN_NOTICES_SMTP_HOST)",
                        "notifications.smtp.from = forewarn@example.org (flag)"),
                loadedSettings.differences().stream().map(Object::toString).toList());
    }

    @Test
    void aSettingUnderBothItsNamesIsRefused() throws IOException {
        Path file = file("impact: {driver: simulated}\n");
        RefusedException refusal = assertThrows(
                RefusedException.class, () -> LoadedSettings.load(file, Map.of(), Map.of("driver.kind", "simulated")));
        assertTrue(
                refusal.getMessage()
                        .contains(
                                "'impact.driver' is the former name of 'driver.kind', which is given too; remove one"),
                refusal.getMessage());
    }

    @Test
    void allProblemsAreReportedTogetherWithTheirLines() throws IOException {
        Path file = file("""
                profil: test
                terms:
                  notice:
                    reboot: soon
                  user-operation: 5
                store: {location: postgres:db}
                listen:
                  control: 8170
                  tls-cert: a.pem
                fleet: {prune: [yes]}
                """);
        Map<String, String> environment =
                Map.of("FOREWARN_TERMS_RECOVRY", "6m", "FOREWARN_URL", "http://x", "FOREWARN_X", "1");
        RefusedException refusal = assertThrows(
                RefusedException.class, () -> LoadedSettings.load(file, environment, Map.of("clock.kind", "manul")));
        assertEquals(
                List.of(
                        "the settings are wrong (" + file + "):",
                        "unknown variable FOREWARN_TERMS_RECOVRY; did you mean FOREWARN_TERMS_RECOVERY?",
                        "'clock.kind' (flag) must be system or manual, not 'manul'",
                        "line 1: unknown key 'profil'; did you mean 'profile'?",
                        "line 4: 'terms.notice.reboot' must be a duration such as 30s, 9m59s, 25h, 90d or 2w, not 'soon'",
                        "line 5: unknown key 'terms.user-operation'; did you mean 'terms.user-operations'?",
                        "line 6: store: 'postgres:db' is not a store; use sqlite:PATH, as in sqlite:./data, or etcd:URL,URL,URL, as in etcd:http://127.0.0.1:2379",
                        "line 8: 'listen.control' must be HOST:PORT, such as 127.0.0.1:9169, not '8170'",
                        "line 8: listen: tls-cert and tls-key go together: give both or neither",
                        "line 10: 'fleet.prune' takes one value, not a list"),
                refusal.getMessage().lines().toList());
    }

    @Test
    void aValueInsteadOfASectionAndAPortThatIsTooBigAreReported() throws IOException {
        Path file = file("metadata: 5\nlisten: {control: 127.0.0.1:99999, metadata: [127.0.0.1:1]}\nterms:\n");
        RefusedException refusal =
                assertThrows(RefusedException.class, () -> LoadedSettings.load(file, Map.of(), Map.of()));
        String told = refusal.getMessage();
        assertTrue(told.contains("line 1: 'metadata' is a section with keys such as metadata."), told);
        assertTrue(told.contains("line 2: 'listen.control' is '127.0.0.1:99999'; the highest port is 65535"), told);
        assertTrue(told.contains("line 2: 'listen.metadata' takes one value, not a list"), told);
    }

    @Test
    void aFileThatIsNotYamlOrNotThereIsRefused() throws IOException {
        Path broken = file("terms: {disable-after: [");
        assertTrue(assertThrows(RefusedException.class, () -> LoadedSettings.load(broken, Map.of(), Map.of()))
                .getMessage()
                .contains("cannot be read"));
        Path missing = directory.resolve("missing.yaml");
        assertTrue(assertThrows(RefusedException.class, () -> LoadedSettings.load(missing, Map.of(), Map.of()))
                .getMessage()
                .contains("does not exist"));
    }

    private Path file(String text) throws IOException {
        return Files.writeString(directory.resolve("config.yaml"), text);
    }

    @Test
    void timesWithoutAZoneAreInUtcOrInTheZoneThatIsSet() {
        assertEquals(
                "UTC",
                LoadedSettings.load(null, Map.of(), Map.of())
                        .settings()
                        .clock()
                        .zone()
                        .getId());
        LoadedSettings berlin = LoadedSettings.load(null, Map.of(), Map.of("clock.zone", "Europe/Berlin"));
        assertEquals("Europe/Berlin", berlin.settings().clock().zone().getId());
        RefusedException refusal = assertThrows(
                RefusedException.class,
                () -> LoadedSettings.load(null, Map.of(), Map.of("clock.zone", "Europe/Berlon")));
        assertTrue(
                refusal.getMessage().contains("must be a time zone, such as UTC or Europe/Berlin, not 'Europe/Berlon'"),
                refusal.getMessage());
    }

    @Test
    void theRateLimitHasABound() {
        Map<String, String> flags = Map.of("metadata.requests-per-second", "101");
        RefusedException refusal =
                assertThrows(RefusedException.class, () -> LoadedSettings.load(null, Map.of(), flags));
        assertTrue(
                refusal.getMessage().contains("metadata: requests-per-second must be at most 100"),
                refusal.getMessage());
    }
}
