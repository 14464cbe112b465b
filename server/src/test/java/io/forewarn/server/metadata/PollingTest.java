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
    private Station station;
    private Talk talk;

    @BeforeEach
    void start() {
        begin(new Station());
    }

    private void begin(Station started) {
        station = started;
        talk = station.talk("127.0.0.1");
    }

    @AfterEach
    void stop() {
        talk.close();
        station.close();
    }

    @Test
    void theFirstDocumentIsEmptyAndOfIncarnationOne() {
        Talk.Answer answer = talk.poll("2017-03-01");
        assertEquals("{\"DocumentIncarnation\":1,\"Events\":[]}", answer.body());
        assertEquals("\"1\"", answer.header("etag"));
    }

    @Test
    void aScheduledEventLooksAsThePagePrintsIt() {
        talk.poll("2017-03-01");
        EventId id = station.schedule(Cause.RESTART, "web-0");
        assertEquals(
                "{\"DocumentIncarnation\":2,\"Events\":[{\"EventId\":\"" + id
                        + "\",\"EventStatus\":\"Scheduled\",\"EventType\":\"Reboot\",\"ResourceType\":\"VirtualMachine\","
                        + "\"Resources\":[\"web-0\"],\"NotBefore\":\"2016-09-19T18:29:47Z\"}]}",
                talk.poll("2017-03-01").body());
        assertTrue(talk.poll("2017-08-01").body().contains("\"NotBefore\":\"Mon, 19 Sep 2016 18:29:47 GMT\""));
    }

    @Test
    void anEventIsScheduledThenStartedThenGoneAndEachStepCounts() {
        talk.poll("2020-07-01");
        EventId id = station.schedule(Cause.RESTART, "web-0", "new kernel");
        assertTrue(talk.poll("2020-07-01").body().contains("\"EventStatus\":\"Scheduled\""));
        station.advance(Duration.ofMinutes(15).plusSeconds(1));
        assertEquals(
                "{\"DocumentIncarnation\":3,\"Events\":[{\"EventId\":\"" + id
                        + "\",\"EventStatus\":\"Started\",\"EventType\":\"Reboot\",\"ResourceType\":\"VirtualMachine\","
                        + "\"Resources\":[\"web-0\"],\"NotBefore\":\"\",\"Description\":\"new kernel\",\"EventSource\":\"User\","
                        + "\"DurationInSeconds\":-1}]}",
                talk.poll("2020-07-01").body());
        station.advance(Duration.ofMinutes(2));
        assertEquals(
                "{\"DocumentIncarnation\":4,\"Events\":[]}",
                talk.poll("2020-07-01").body());
    }

    @Test
    void everyMachineOfTheGroupSeesItAndNobodyElse() {
        try (Talk second = station.talk("127.0.0.2");
                Talk lone = station.talk("127.0.2.1")) {
            talk.poll("2017-03-01");
            EventId id = station.schedule(Cause.RESTART, "web-0");
            assertTrue(second.poll("2017-03-01").body().contains(id.toString()));
            assertEquals(
                    "{\"DocumentIncarnation\":1,\"Events\":[]}",
                    lone.poll("2017-03-01").body());
        }
    }

    @Test
    void eventsOfNewerTypesAreLeftOutButTheIncarnationIsShared() {
        try (Talk spot = station.talk("127.0.3.1")) {
            spot.poll("2017-03-01");
            station.schedule(Cause.PREEMPT, "spot");
            assertEquals(
                    "{\"DocumentIncarnation\":2,\"Events\":[]}",
                    spot.poll("2017-08-01").body());
            assertTrue(spot.poll("2017-11-01").body().contains("\"EventType\":\"Preempt\""));
            assertEquals("\"2\"", spot.poll("2020-07-01").header("etag"));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"1\"", "1", "W/\"1\"", "W/1", "*", "\"7\", \"1\"", "\"7\",W/\"1\" , \"8\"", "0, 1"})
    void aDocumentTheClientHasIs304(String known) {
        Talk.Answer answer = talk.poll("2017-03-01", "If-None-Match: " + known);
        assertEquals(304, answer.status());
        assertEquals("\"1\"", answer.header("etag"));
        assertNull(answer.header("content-length"));
        assertEquals(200, talk.poll("2017-03-01").status());
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"2\"", "0", "\"0\"", "", "\"\"", "11", "\"1", "x"})
    void aDocumentTheClientHasNotIs200(String known) {
        assertEquals(200, talk.poll("2017-03-01", "If-None-Match: " + known).status());
    }

    @Test
    void ifNoneMatchIsIgnoredOnPost() {
        talk.poll("2017-03-01");
        EventId id = station.schedule(Cause.RESTART, "web-0");
        Talk.Answer answer = talk.post(
                Talk.EVENTS + "2017-03-01",
                "{\"StartRequests\":[{\"EventId\":\"" + id + "\"}]}",
                "Metadata: true",
                "If-None-Match: *");
        assertEquals(200, answer.status());
    }

    @Test
    void theFirstRequestEnablesTheGroupAndIsAnsweredWhenThatIsDurable() {
        assertFalse(enabled());
        long before = head();
        assertEquals(200, talk.poll("2017-03-01").status());
        assertTrue(enabled());
        assertTrue(head() > before);
    }

    @Test
    void onlyAnAnsweredPollEnables() {
        talk.get(Talk.EVENTS + "2017-03-01");
        talk.poll("2016-01-01");
        talk.get("/metadata/instance?api-version=2017-08-01", "Metadata: true");
        talk.get("/metadata/versions", "Metadata: true");
        talk.approve("2017-03-01", UUID.randomUUID());
        assertFalse(enabled());
        assertEquals(304, talk.poll("2017-03-01", "If-None-Match: 1").status());
        assertTrue(enabled());
    }

    @Test
    void workOnAGroupThatNeverAskedShowsNoEvent() {
        station.schedule(Cause.RESTART, "web-0");
        assertEquals(
                "{\"DocumentIncarnation\":1,\"Events\":[]}",
                talk.poll("2017-03-01").body());
    }

    @Test
    void aDayOfSilenceDisablesTheGroupAndTheNextRequestEnablesItAgain() {
        talk.poll("2017-03-01");
        station.advance(Duration.ofHours(24));
        station.schedule(Cause.RESTART, "web-0");
        station.advance(Duration.ofMinutes(2));
        long before = head();
        assertEquals(
                "{\"DocumentIncarnation\":1,\"Events\":[]}",
                talk.poll("2017-03-01").body());
        assertTrue(head() > before);
        station.schedule(Cause.RESTART, "web-0");
        assertTrue(talk.poll("2017-03-01").body().contains("Scheduled"));
    }

    @Test
    void aRequestWithinTheDayKeepsTheGroupEnabled() {
        talk.poll("2017-03-01");
        station.advance(Duration.ofHours(23));
        talk.poll("2017-03-01", "If-None-Match: 1");
        station.advance(Duration.ofHours(23));
        station.schedule(Cause.RESTART, "web-0");
        assertTrue(talk.poll("2017-03-01").body().contains("Scheduled"));
    }

    @Test
    void alwaysEnabledGroupsNeedNoFirstRequest() {
        stop();
        begin(new Station(MetadataSettings.TEST, ServiceTerms.TEST, IdentitySettings.DEFAULT));
        station.schedule(Cause.RESTART, "web-0");
        assertTrue(talk.poll("2017-03-01").body().contains("Scheduled"));
        assertFalse(enabled());
    }

    @Test
    void theFirstAnswerMayBeDelayedAndOnlyTheFirst() {
        stop();
        begin(new Station(
                MetadataSettings.TEST.with(MetadataSettings.TEST.times().withFirstCallDelay(Duration.ofMillis(400)))));
        long start = System.nanoTime();
        assertEquals(200, talk.poll("2017-03-01").status());
        assertTrue(System.nanoTime() - start >= Duration.ofMillis(400).toNanos());
        try (Talk second = station.talk("127.0.0.2")) {
            assertEquals(200, second.poll("2017-03-01").status());
        }
    }

    @Test
    void aReaderIsAnsweredWhileTheStoreIsDownAndItsGroupIsEnabledLater() {
        station.store.fail(SimulatedStore.Fault.REJECTED);
        assertEquals(200, talk.poll("2017-03-01").status());
        Station.eventually(this::enabled);
    }

    @Test
    void aReaderIsAnsweredAlsoIfTheStoreDoesNotAnswerAtAll() {
        station.pause();
        assertEquals(200, talk.poll("2017-03-01").status());
        assertFalse(enabled());
        station.goOn();
        Station.eventually(this::enabled);
    }

    @Test
    void aMachineThatSeesItsEventIsNotedOnceWithTheVersionThatShowsIt() {
        try (Talk spot = station.talk("127.0.3.1")) {
            spot.poll("2017-03-01");
            station.schedule(Cause.PREEMPT, "spot");
            spot.poll("2017-03-01");
            station.settle();
            assertTrue(sightings("spot").isEmpty(), "the first version does not show it");
            spot.poll("2017-11-01");
            Station.eventually(() -> sightings("spot").equals(List.of("spot")));
            assertEquals(
                    "2017-11-01",
                    station.engine.view().find(new MachineId("default", "spot")).apiVersion());
        }
    }

    @Test
    void aMachineThatIsNotListedIsNotNoted() {
        try (Talk second = station.talk("127.0.0.2")) {
            talk.poll("2017-03-01");
            station.schedule(Cause.RESTART, "web-0");
            second.poll("2017-03-01");
            talk.poll("2017-03-01");
            Station.eventually(() -> sightings("web").equals(List.of("web-0")));
        }
    }

    /** A policy may wait for it. */
    @Test
    void aSightingThatWasLostIsNotedAtALaterPoll() {
        talk.poll("2017-03-01");
        station.schedule(Cause.RESTART, "web-0");
        station.pause();
        station.settle();
        Command.Sight nothing =
                new Command.Sight(Station.WEB, "web-1", Set.of(), Instant.EPOCH, Actor.machine("default/web-1", ""));
        for (int i = 0; i < 100_000; i++) {
            station.engine.sighted(nothing);
        }
        talk.poll("2017-03-01");
        station.goOn();
        station.settle();
        assertTrue(sightings("web").isEmpty(), "there was no room for it");
        station.advance(Duration.ofSeconds(10));
        talk.poll("2017-03-01");
        Station.eventually(() -> sightings("web").equals(List.of("web-0")));
    }

    @ParameterizedTest
    @EnumSource(ApiVersion.class)
    void thePreviewsUnderscoreIsASwitchForTheFirstVersion(ApiVersion version) {
        stop();
        begin(new Station(MetadataSettings.TEST.with(new MetadataSettings.PreviewForm(PreviewDates.RFC1123, true))));
        try (Talk cloud = station.talk("127.0.1.1")) {
            talk.poll(version.text());
            cloud.poll(version.text());
            station.schedule(Cause.RESTART, "web-0");
            station.schedule(Cause.RESTART, "cloud-0");
            boolean first = version == ApiVersion.V2017_03_01;
            String body = talk.poll(version.text()).body();
            assertTrue(body.contains(first ? "[\"_web-0\"]" : "[\"web-0\"]"), body);
            assertTrue(body.contains("\"Mon, 19 Sep 2016 18:29:47 GMT\""), body);
            assertTrue(cloud.poll(version.text()).body().contains("[\"cloud-0\"]"));
        }
    }

    @Test
    void aMachineThatIsRemovedOrMovedIsNoLongerAnsweredAsBefore() {
        try (Talk lone = station.talk("127.0.2.1")) {
            assertEquals(200, lone.poll("2017-03-01").status());
            Station.await(station.engine.change(
                    facts -> io.forewarn.core.rules.FleetRules.remove(facts, List.of(new MachineId("default", "lone"))),
                    io.forewarn.core.Actor.SERVICE,
                    null));
            assertEquals(403, lone.poll("2017-03-01").status());
        }
    }

    private boolean enabled() {
        return station.engine.view().find(Station.WEB).state().isEnabled();
    }

    private long head() {
        return station.disk.head().seq();
    }

    private List<String> sightings(String group) {
        return station.engine.view().find(new GroupId("default", group)).state().events().stream()
                .map(Event::sightings)
                .flatMap(s -> s.keySet().stream())
                .toList();
    }
}
