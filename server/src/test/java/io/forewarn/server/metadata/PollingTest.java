package io.forewarn.server.metadata;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.forewarn.core.Actor;
import io.forewarn.core.engine.SimulatedStore;
import io.forewarn.core.event.Cause;
import io.forewarn.core.event.Event;
import io.forewarn.core.event.EventId;
import io.forewarn.core.fleet.GroupId;
import io.forewarn.core.fleet.MachineId;
import io.forewarn.core.rules.Command;
import io.forewarn.core.rules.ServiceTerms;
import io.forewarn.server.identity.IdentitySettings;
import io.forewarn.server.metadata.MetadataSettings.PreviewDates;
import io.forewarn.wire.azure.ApiVersion;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Contract §2 and the enabling of §5, seen over HTTP. */
class PollingTest {
    private MetadataHarness harness;
    private RawConnection connection;

    @BeforeEach
    void start() {
        begin(new MetadataHarness());
    }

    private void begin(MetadataHarness started) {
        harness = started;
        connection = harness.talk("127.0.0.1");
    }

    @AfterEach
    void stop() {
        connection.close();
        harness.close();
    }

    @Test
    void theFirstDocumentIsEmptyAndOfIncarnationOne() {
        RawConnection.Answer answer = connection.poll("2017-03-01");
        assertEquals("{\"DocumentIncarnation\":1,\"Events\":[]}", answer.body());
        assertEquals("\"1-f067a42a\"", answer.header("etag"));
    }

    @Test
    void aScheduledEventLooksAsThePagePrintsIt() {
        connection.poll("2017-03-01");
        EventId id = harness.schedule(Cause.RESTART, "web-0");
        assertEquals(
                "{\"DocumentIncarnation\":2,\"Events\":[{\"EventId\":\"" + id
                        + "\",\"EventStatus\":\"Scheduled\",\"EventType\":\"Reboot\",\"ResourceType\":\"VirtualMachine\","
                        + "\"Resources\":[\"web-0\"],\"NotBefore\":\"2016-09-19T18:29:47Z\"}]}",
                connection.poll("2017-03-01").body());
        assertTrue(connection.poll("2017-08-01").body().contains("\"NotBefore\":\"Mon, 19 Sep 2016 18:29:47 GMT\""));
    }

    @Test
    void anEventIsScheduledThenStartedThenGoneAndEachStepCounts() {
        connection.poll("2020-07-01");
        EventId id = harness.schedule(Cause.RESTART, "web-0", "new kernel");
        assertTrue(connection.poll("2020-07-01").body().contains("\"EventStatus\":\"Scheduled\""));
        harness.advance(Duration.ofMinutes(15).plusSeconds(1));
        assertEquals(
                "{\"DocumentIncarnation\":3,\"Events\":[{\"EventId\":\"" + id
                        + "\",\"EventStatus\":\"Started\",\"EventType\":\"Reboot\",\"ResourceType\":\"VirtualMachine\","
                        + "\"Resources\":[\"web-0\"],\"NotBefore\":\"\",\"Description\":\"new kernel\",\"EventSource\":\"User\","
                        + "\"DurationInSeconds\":-1}]}",
                connection.poll("2020-07-01").body());
        harness.advance(Duration.ofMinutes(2));
        assertEquals(
                "{\"DocumentIncarnation\":4,\"Events\":[]}",
                connection.poll("2020-07-01").body());
    }

    @Test
    void onlyMachinesOfTheGroupSeeIt() {
        try (RawConnection second = harness.talk("127.0.0.2");
                RawConnection lone = harness.talk("127.0.2.1")) {
            connection.poll("2017-03-01");
            EventId id = harness.schedule(Cause.RESTART, "web-0");
            assertTrue(second.poll("2017-03-01").body().contains(id.toString()));
            assertEquals(
                    "{\"DocumentIncarnation\":1,\"Events\":[]}",
                    lone.poll("2017-03-01").body());
        }
    }

    @Test
    void eventsOfNewerTypesAreLeftOutButTheIncarnationIsShared() {
        try (RawConnection spot = harness.talk("127.0.3.1")) {
            spot.poll("2017-03-01");
            harness.schedule(Cause.PREEMPT, "spot");
            assertEquals(
                    "{\"DocumentIncarnation\":2,\"Events\":[]}",
                    spot.poll("2017-08-01").body());
            assertTrue(spot.poll("2017-11-01").body().contains("\"EventType\":\"Preempt\""));
            assertEquals(
                    spot.poll("2017-03-01").header("etag"),
                    spot.poll("2020-07-01").header("etag"));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"TAG", "BARE", "W/TAG", "W/BARE", "*", "\"7\", TAG", "\"7\",W/TAG , \"8\"", "0, BARE"})
    void aDocumentTheClientHasIs304(String known) {
        String tag = MetadataHarness.etag(1);
        String header = known.replace("TAG", tag).replace("BARE", tag.replace("\"", ""));
        RawConnection.Answer answer = connection.poll("2017-03-01", "If-None-Match: " + header);
        assertEquals(304, answer.status());
        assertEquals(tag, answer.header("etag"));
        assertNull(answer.header("content-length"));
        assertEquals(200, connection.poll("2017-03-01").status());
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"1\"", "1", "\"2\"", "0", "\"0\"", "", "\"\"", "11", "\"1", "x"})
    void aDocumentTheClientHasNotIs200(String known) {
        assertEquals(
                200, connection.poll("2017-03-01", "If-None-Match: " + known).status());
    }

    @Test
    void ifNoneMatchIsIgnoredOnPost() {
        connection.poll("2017-03-01");
        EventId id = harness.schedule(Cause.RESTART, "web-0");
        RawConnection.Answer answer = connection.post(
                RawConnection.EVENTS + "2017-03-01",
                "{\"StartRequests\":[{\"EventId\":\"" + id + "\"}]}",
                "Metadata: true",
                "If-None-Match: *");
        assertEquals(200, answer.status());
    }

    @Test
    void theFirstRequestEnablesTheGroupAndIsAnsweredWhenThatIsDurable() {
        assertFalse(enabled());
        long before = head();
        assertEquals(200, connection.poll("2017-03-01").status());
        assertTrue(enabled());
        assertTrue(head() > before);
    }

    @Test
    void onlyAnAnsweredPollEnables() {
        connection.get(RawConnection.EVENTS + "2017-03-01");
        connection.poll("2016-01-01");
        connection.get("/metadata/instance?api-version=2017-08-01", "Metadata: true");
        connection.get("/metadata/versions", "Metadata: true");
        connection.approve("2017-03-01", UUID.randomUUID());
        assertFalse(enabled());
        assertEquals(
                304,
                connection
                        .poll("2017-03-01", "If-None-Match: " + MetadataHarness.etag(1))
                        .status());
        assertTrue(enabled());
    }

    @Test
    void theGuestApiEnablesToo() {
        connection.get("/forewarn/v1/events");
        assertFalse(enabled());
        assertEquals(
                200, connection.get("/forewarn/v1/events", "Metadata: true").status());
        assertTrue(enabled());
        harness.advance(Duration.ofHours(23));
        connection.get("/forewarn/v1/events", "Metadata: true");
        harness.advance(Duration.ofHours(23));
        EventId id = harness.schedule(Cause.RESTART, "web-0");
        assertTrue(
                connection.get("/forewarn/v1/events", "Metadata: true").body().contains(id.toString()));
    }

    @Test
    void workOnAGroupThatNeverAskedShowsNoEvent() {
        harness.schedule(Cause.RESTART, "web-0");
        assertEquals(
                "{\"DocumentIncarnation\":1,\"Events\":[]}",
                connection.poll("2017-03-01").body());
    }

    @Test
    void aDayOfSilenceDisablesTheGroupAndTheNextRequestEnablesItAgain() {
        connection.poll("2017-03-01");
        harness.advance(Duration.ofHours(24));
        harness.schedule(Cause.RESTART, "web-0");
        harness.advance(Duration.ofMinutes(2));
        long before = head();
        assertEquals(
                "{\"DocumentIncarnation\":1,\"Events\":[]}",
                connection.poll("2017-03-01").body());
        assertTrue(head() > before);
        harness.schedule(Cause.RESTART, "web-0");
        assertTrue(connection.poll("2017-03-01").body().contains("Scheduled"));
    }

    @Test
    void aRequestWithinTheDayKeepsTheGroupEnabled() {
        connection.poll("2017-03-01");
        harness.advance(Duration.ofHours(23));
        connection.poll("2017-03-01", "If-None-Match: " + MetadataHarness.etag(1));
        harness.advance(Duration.ofHours(23));
        harness.schedule(Cause.RESTART, "web-0");
        assertTrue(connection.poll("2017-03-01").body().contains("Scheduled"));
    }

    @Test
    void alwaysEnabledGroupsNeedNoFirstRequest() {
        stop();
        begin(new MetadataHarness(MetadataSettings.TEST, ServiceTerms.TEST, IdentitySettings.DEFAULT));
        harness.schedule(Cause.RESTART, "web-0");
        assertTrue(connection.poll("2017-03-01").body().contains("Scheduled"));
        assertFalse(enabled());
    }

    @Test
    void theFirstAnswerMayBeDelayedAndOnlyTheFirst() {
        stop();
        begin(new MetadataHarness(
                MetadataSettings.TEST.with(MetadataSettings.TEST.times().withFirstCallDelay(Duration.ofMillis(400)))));
        long start = System.nanoTime();
        assertEquals(200, connection.poll("2017-03-01").status());
        assertTrue(System.nanoTime() - start >= Duration.ofMillis(400).toNanos());
        try (RawConnection second = harness.talk("127.0.0.2")) {
            assertEquals(200, second.poll("2017-03-01").status());
        }
    }

    @Test
    void aReaderIsAnsweredWhileTheStoreIsDownAndItsGroupIsEnabledLater() {
        harness.store.fail(SimulatedStore.Fault.REJECTED);
        assertEquals(200, connection.poll("2017-03-01").status());
        MetadataHarness.eventually(this::enabled);
    }

    @Test
    void aReaderIsAnsweredAlsoIfTheStoreDoesNotAnswerAtAll() {
        harness.pause();
        assertEquals(200, connection.poll("2017-03-01").status());
        assertFalse(enabled());
        harness.goOn();
        MetadataHarness.eventually(this::enabled);
    }

    @Test
    void aMachineThatSeesItsEventIsNotedOnceWithTheVersionThatShowsIt() {
        try (RawConnection spot = harness.talk("127.0.3.1")) {
            spot.poll("2017-03-01");
            harness.schedule(Cause.PREEMPT, "spot");
            spot.poll("2017-03-01");
            harness.settle();
            assertTrue(sightings("spot").isEmpty(), "the first version does not show it");
            spot.poll("2017-11-01");
            MetadataHarness.eventually(() -> sightings("spot").equals(List.of("spot")));
            assertEquals(
                    "2017-11-01",
                    harness.engine.view().find(new MachineId("default", "spot")).apiVersion());
        }
    }

    @Test
    void aMachineThatIsNotListedIsNotNoted() {
        try (RawConnection second = harness.talk("127.0.0.2")) {
            connection.poll("2017-03-01");
            harness.schedule(Cause.RESTART, "web-0");
            second.poll("2017-03-01");
            connection.poll("2017-03-01");
            MetadataHarness.eventually(() -> sightings("web").equals(List.of("web-0")));
        }
    }

    @Test
    void anAnswerThatAnyDocumentWouldGetDoesNotCountAsHavingSeenIt() {
        connection.poll("2017-03-01");
        harness.schedule(Cause.RESTART, "web-0");
        assertEquals(304, connection.poll("2017-03-01", "If-None-Match: *").status());
        harness.settle();
        assertTrue(sightings("web").isEmpty());
        connection.poll("2017-03-01");
        MetadataHarness.eventually(() -> sightings("web").equals(List.of("web-0")));
    }

    /** A policy may wait for it. */
    @Test
    void aSightingThatWasLostIsNotedAtALaterPoll() {
        connection.poll("2017-03-01");
        harness.schedule(Cause.RESTART, "web-0");
        harness.pause();
        harness.settle();
        Command.Sight nothing = new Command.Sight(
                MetadataHarness.WEB, "web-1", Set.of(), Instant.EPOCH, Actor.machine("default/web-1", ""));
        for (int i = 0; i < 100_000; i++) {
            harness.engine.sighted(nothing);
        }
        connection.poll("2017-03-01");
        harness.goOn();
        harness.settle();
        assertTrue(sightings("web").isEmpty(), "there was no room for it");
        harness.advance(Duration.ofSeconds(10));
        connection.poll("2017-03-01");
        MetadataHarness.eventually(() -> sightings("web").equals(List.of("web-0")));
    }

    @ParameterizedTest
    @EnumSource(ApiVersion.class)
    void thePreviewsUnderscoreIsASwitchForTheFirstVersion(ApiVersion version) {
        stop();
        begin(new MetadataHarness(
                MetadataSettings.TEST.with(new MetadataSettings.PreviewForm(PreviewDates.RFC1123, true))));
        try (RawConnection cloud = harness.talk("127.0.1.1")) {
            connection.poll(version.text());
            cloud.poll(version.text());
            harness.schedule(Cause.RESTART, "web-0");
            harness.schedule(Cause.RESTART, "cloud-0");
            boolean first = version == ApiVersion.V2017_03_01;
            String body = connection.poll(version.text()).body();
            assertTrue(body.contains(first ? "[\"_web-0\"]" : "[\"web-0\"]"), body);
            assertTrue(body.contains("\"Mon, 19 Sep 2016 18:29:47 GMT\""), body);
            assertTrue(cloud.poll(version.text()).body().contains("[\"cloud-0\"]"));
        }
    }

    @Test
    void aMachineThatIsRemovedOrMovedIsNoLongerAnsweredAsBefore() {
        try (RawConnection lone = harness.talk("127.0.2.1")) {
            assertEquals(200, lone.poll("2017-03-01").status());
            MetadataHarness.await(harness.engine.change(
                    facts -> io.forewarn.core.rules.FleetRules.remove(facts, List.of(new MachineId("default", "lone"))),
                    io.forewarn.core.Actor.SERVICE,
                    null));
            assertEquals(403, lone.poll("2017-03-01").status());
        }
    }

    private boolean enabled() {
        return harness.engine.view().find(MetadataHarness.WEB).state().isEnabled();
    }

    private long head() {
        return harness.disk.head().seq();
    }

    private List<String> sightings(String group) {
        return harness.engine.view().find(new GroupId("default", group)).state().events().stream()
                .map(Event::sightings)
                .flatMap(s -> s.keySet().stream())
                .toList();
    }
}
