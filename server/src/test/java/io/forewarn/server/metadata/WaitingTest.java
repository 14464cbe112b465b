package io.forewarn.server.metadata;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.forewarn.core.event.Cause;
import io.forewarn.core.fleet.FleetSpec;
import io.forewarn.core.fleet.GroupId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code Prefer: wait}: contract §6. */
class WaitingTest {
    private Station station;
    private Talk talk;

    @BeforeEach
    void start() {
        begin(MetadataSettings.TEST);
    }

    private void begin(MetadataSettings settings) {
        station = new Station(settings);
        talk = station.talk("127.0.0.1");
        talk.poll("2017-03-01");
    }

    @AfterEach
    void stop() {
        talk.close();
        station.close();
    }

    @Test
    void theAnswerIsHeldUntilTheDocumentChanges() {
        hold(talk, 60);
        Station.eventually(() -> waiting() == 1);
        station.schedule(Cause.RESTART, "web-0");
        Talk.Answer answer = talk.answer();
        assertEquals(200, answer.status());
        assertEquals("wait=60", answer.header("preference-applied"));
        assertTrue(answer.body().contains("Scheduled"));
        assertEquals(200, talk.poll("2017-03-01").status());
    }

    @Test
    void whenTheTimeIsUpTheAnswerIs304() {
        hold(talk, 1);
        Talk.Answer answer = talk.answer();
        assertEquals(304, answer.status());
        assertEquals("wait=1", answer.header("preference-applied"));
        assertEquals(0, waiting());
    }

    @Test
    void aDocumentThatIsNewToTheClientIsNotHeld() {
        Talk.Answer answer = talk.poll("2017-03-01", "If-None-Match: 7", "Prefer: wait=60");
        assertEquals(200, answer.status());
        assertNull(answer.header("preference-applied"));
        assertEquals(200, talk.poll("2017-03-01", "Prefer: wait=60").status());
    }

    /** The request of a machine that has seen more at another node of a cluster. */
    private void behind(String... headers) {
        stop();
        begin(MetadataSettings.TEST.with(MetadataSettings.TEST.times().withCatchUp(Duration.ofMinutes(3))));
        station.server.follows(() -> true, () -> 0);
        talk.send(Talk.head("GET " + Talk.EVENTS + "2017-03-01", headers) + "Metadata: true\r\n\r\n");
        Station.eventually(() -> waiting() == 1);
    }

    @Test
    void aNodeThatIsBehindAnswersWhenItKnowsWhatTheMachineHasSeenElsewhere() {
        behind("If-None-Match: 3", "Prefer: wait=1");
        station.schedule(Cause.RESTART, "web-0");
        station.schedule(Cause.RESTART, "web-1");
        Talk.Answer answer = talk.answer();
        assertEquals(304, answer.status());
        assertEquals("wait=1", answer.header("preference-applied"), "and waits for what is new to both");
    }

    @Test
    void aMachineTakenOutOfTheFleetWhileItsNodeCatchesUpIsAStranger() {
        behind("If-None-Match: 9");
        station.remove("web-0");
        station.schedule(Cause.RESTART, "web-1");
        assertEquals(403, talk.answer().status());
    }

    @Test
    void aLongWaitIsCutToTheLongest() {
        hold(talk, 86_400);
        Station.eventually(() -> waiting() == 1);
        station.schedule(Cause.RESTART, "web-0");
        assertEquals("wait=300", talk.answer().header("preference-applied"));
    }

    @Test
    void theNinthOfOneMachineIsAnsweredAtOnceAndOthersAreNot() {
        List<Talk> talks = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            talks.add(station.talk("127.0.0.1"));
            hold(talks.get(i), 60);
        }
        Station.eventually(() -> waiting() == 8);
        Talk.Answer ninth = talk.poll("2017-03-01", "If-None-Match: 1", "Prefer: wait=60");
        assertEquals(304, ninth.status());
        assertNull(ninth.header("preference-applied"));
        try (Talk other = station.talk("127.0.0.2")) {
            hold(other, 60);
            Station.eventually(() -> waiting() == 9);
            station.schedule(Cause.RESTART, "web-0");
            assertEquals(200, other.answer().status());
        }
        for (Talk held : talks) {
            assertEquals(200, held.answer().status());
            held.close();
        }
        hold(talk, 1);
        assertEquals(200, talk.answer().status());
    }

    @Test
    void aClientThatGoesAwayIsForgotten() {
        for (int i = 0; i < 20; i++) {
            Talk gone = station.talk("127.0.0.1");
            hold(gone, 60);
            Station.eventually(() -> waiting() == 1);
            gone.close();
            Station.eventually(() -> waiting() == 0);
        }
    }

    @Test
    void waitingIsNotIdling() {
        stop();
        begin(Station.impatient(Duration.ofMillis(100), Duration.ofMillis(200)));
        try (Talk fresh = station.talk("127.0.0.1")) {
            hold(fresh, 2);
            assertEquals(304, fresh.answer().status());
        }
    }

    /** Both groups' documents have incarnation 2, and are not the same. */
    @Test
    void aMachineThatMovesIsHandedItsNewGroupsDocument() {
        station.schedule(Cause.RESTART, "web-1");
        try (Talk cloud = station.talk("127.0.1.1")) {
            cloud.poll("2017-03-01");
        }
        station.schedule(Cause.RESTART, "cloud-0");
        talk.poll("2017-03-01");
        assertEquals(304, talk.poll("2017-03-01", "If-None-Match: 2").status());
        talk.send(
                Talk.head("GET " + Talk.EVENTS + "2017-03-01", "Metadata: true", "If-None-Match: 2", "Prefer: wait=60")
                        + "\r\n");
        Station.eventually(() -> waiting() == 1);
        move("cloud");
        Talk.Answer woken = talk.answer();
        assertEquals(200, woken.status());
        assertTrue(woken.body().contains("cloud-0"), woken.body());
        assertEquals(304, talk.poll("2017-03-01", "If-None-Match: 2").status());
        move("web");
        Talk.Answer back = talk.poll("2017-03-01", "If-None-Match: 2");
        assertEquals(200, back.status());
        assertTrue(back.body().contains("web-1"), back.body());
    }

    private void move(String group) {
        station.applyFleet(
                new FleetSpec(
                        List.of(),
                        List.of(Station.machine("web-0", new GroupId("default", group), "127.0.0.1", false))),
                false);
    }

    /** A change between the look at the document and the registration must wake the request too. */
    @Test
    void noChangeIsMissed() {
        for (int i = 0; i < 50; i++) {
            long known = station.engine.view().find(Station.WEB).document().incarnation();
            talk.send(Talk.head(
                            "GET " + Talk.EVENTS + "2017-03-01",
                            "Metadata: true",
                            "If-None-Match: " + known,
                            "Prefer: wait=60")
                    + "\r\n");
            station.schedule(Cause.FAILURE, "web-0");
            assertEquals(200, talk.answer().status());
            station.advance(Duration.ofMinutes(6));
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "wait=60 | 60",
                "WAIT=5 | 5",
                "respond-async, wait=10 | 10",
                "wait=\"7\" | 7",
                "wait=3; x=y | 3",
                "wait = 4 | 4",
                "wait | 0",
                "wait=x | 0",
                "wait=-1 | 0",
                "wait=99999999999 | 0",
                "await=5 | 0"
            })
    void thePreferenceIsRead(String header, int seconds) {
        assertEquals(seconds, Prefer.wait(List.of(header)));
    }

    private static void hold(Talk talk, int seconds) {
        talk.send(Talk.head(
                        "GET " + Talk.EVENTS + "2017-03-01",
                        "Metadata: true",
                        "If-None-Match: \"1\"",
                        "Prefer: wait=" + seconds)
                + "\r\n");
    }

    private int waiting() {
        return station.server.held();
    }
}
