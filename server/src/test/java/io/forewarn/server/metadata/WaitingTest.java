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
    private MetadataHarness harness;
    private RawConnection connection;

    @BeforeEach
    void start() {
        begin(MetadataSettings.TEST);
    }

    private void begin(MetadataSettings settings) {
        harness = new MetadataHarness(settings);
        connection = harness.talk("127.0.0.1");
        connection.poll("2017-03-01");
    }

    @AfterEach
    void stop() {
        connection.close();
        harness.close();
    }

    @Test
    void theAnswerIsHeldUntilTheDocumentChanges() {
        hold(connection, 60);
        MetadataHarness.eventually(() -> waiting() == 1);
        harness.schedule(Cause.RESTART, "web-0");
        RawConnection.Answer answer = connection.answer();
        assertEquals(200, answer.status());
        assertEquals("wait=60", answer.header("preference-applied"));
        assertTrue(answer.body().contains("Scheduled"));
        assertEquals(200, connection.poll("2017-03-01").status());
    }

    @Test
    void whenTheTimeIsUpTheAnswerIs304() {
        hold(connection, 1);
        RawConnection.Answer answer = connection.answer();
        assertEquals(304, answer.status());
        assertEquals("wait=1", answer.header("preference-applied"));
        assertEquals(0, waiting());
    }

    @Test
    void aDocumentThatIsNewToTheClientIsNotHeld() {
        RawConnection.Answer answer =
                connection.poll("2017-03-01", "If-None-Match: " + MetadataHarness.etag(7), "Prefer: wait=60");
        assertEquals(200, answer.status());
        assertNull(answer.header("preference-applied"));
        assertEquals(200, connection.poll("2017-03-01", "Prefer: wait=60").status());
    }

    /** The request of a machine that has seen more at another node of a cluster. */
    private void behind(String... headers) {
        stop();
        begin(MetadataSettings.TEST.with(MetadataSettings.TEST.times().withCatchUp(Duration.ofMinutes(3))));
        harness.server.follows(() -> true, () -> 0);
        connection.send(
                RawConnection.head("GET " + RawConnection.EVENTS + "2017-03-01", headers) + "Metadata: true\r\n\r\n");
        MetadataHarness.eventually(() -> waiting() == 1);
    }

    @Test
    void aNodeThatIsBehindAnswersWhenItKnowsWhatTheMachineHasSeenElsewhere() {
        behind("If-None-Match: " + MetadataHarness.etag(3), "Prefer: wait=1");
        harness.schedule(Cause.RESTART, "web-0");
        harness.schedule(Cause.RESTART, "web-1");
        RawConnection.Answer answer = connection.answer();
        assertEquals(304, answer.status());
        assertEquals("wait=1", answer.header("preference-applied"), "and waits for what is new to both");
    }

    @Test
    void aMachineRemovedWhileItsNodeCatchesUpIsUnknown() {
        behind("If-None-Match: " + MetadataHarness.etag(9));
        harness.remove("web-0");
        harness.schedule(Cause.RESTART, "web-1");
        assertEquals(403, connection.answer().status());
    }

    @Test
    void aLongWaitIsCutToTheLongest() {
        hold(connection, 86_400);
        MetadataHarness.eventually(() -> waiting() == 1);
        harness.schedule(Cause.RESTART, "web-0");
        assertEquals("wait=300", connection.answer().header("preference-applied"));
    }

    @Test
    void theNinthOfOneMachineIsAnsweredAtOnceAndOthersAreNot() {
        List<RawConnection> talks = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            talks.add(harness.talk("127.0.0.1"));
            hold(talks.get(i), 60);
        }
        MetadataHarness.eventually(() -> waiting() == 8);
        RawConnection.Answer ninth =
                connection.poll("2017-03-01", "If-None-Match: " + MetadataHarness.etag(1), "Prefer: wait=60");
        assertEquals(304, ninth.status());
        assertNull(ninth.header("preference-applied"));
        try (RawConnection other = harness.talk("127.0.0.2")) {
            hold(other, 60);
            MetadataHarness.eventually(() -> waiting() == 9);
            harness.schedule(Cause.RESTART, "web-0");
            assertEquals(200, other.answer().status());
        }
        for (RawConnection held : talks) {
            assertEquals(200, held.answer().status());
            held.close();
        }
        hold(connection, 1);
        assertEquals(200, connection.answer().status());
    }

    @Test
    void aClientThatGoesAwayIsForgotten() {
        for (int i = 0; i < 20; i++) {
            RawConnection gone = harness.talk("127.0.0.1");
            hold(gone, 60);
            MetadataHarness.eventually(() -> waiting() == 1);
            gone.close();
            MetadataHarness.eventually(() -> waiting() == 0);
        }
    }

    @Test
    void waitingIsNotIdling() {
        stop();
        begin(MetadataHarness.impatient(Duration.ofMillis(100), Duration.ofMillis(200)));
        try (RawConnection fresh = harness.talk("127.0.0.1")) {
            hold(fresh, 2);
            assertEquals(304, fresh.answer().status());
        }
    }

    /** Both groups' documents have incarnation 2, and are not the same. */
    @Test
    void aMachineThatMovesIsHandedItsNewGroupsDocument() {
        bothGroupsHaveIncarnationTwo();
        String web = connection.poll("2017-03-01").header("etag");
        assertEquals(304, connection.poll("2017-03-01", "If-None-Match: " + web).status());
        connection.send(RawConnection.head(
                        "GET " + RawConnection.EVENTS + "2017-03-01",
                        "Metadata: true",
                        "If-None-Match: " + web,
                        "Prefer: wait=60")
                + "\r\n");
        MetadataHarness.eventually(() -> waiting() == 1);
        move("cloud");
        RawConnection.Answer woken = connection.answer();
        assertEquals(200, woken.status());
        assertTrue(woken.body().startsWith("{\"DocumentIncarnation\":3,"), woken.body());
        assertTrue(woken.body().contains("cloud-0"), woken.body());
        String cloud = woken.header("etag");
        assertEquals(
                304, connection.poll("2017-03-01", "If-None-Match: " + cloud).status());
        move("web");
        RawConnection.Answer back = connection.poll("2017-03-01", "If-None-Match: " + cloud);
        assertEquals(200, back.status());
        assertTrue(back.body().startsWith("{\"DocumentIncarnation\":4,"), back.body());
        assertTrue(back.body().contains("web-1"), back.body());
    }

    @Test
    void aMachineThatIsRemovedAndAddedElsewhereIsHandedItsNewGroupsDocument() {
        bothGroupsHaveIncarnationTwo();
        String web = connection.poll("2017-03-01").header("etag");
        harness.remove("web-0");
        move("cloud");
        RawConnection.Answer answer = connection.poll("2017-03-01", "If-None-Match: " + web);
        assertEquals(200, answer.status());
        assertTrue(answer.body().contains("cloud-0"), answer.body());
    }

    private void bothGroupsHaveIncarnationTwo() {
        harness.schedule(Cause.RESTART, "web-1");
        try (RawConnection cloud = harness.talk("127.0.1.1")) {
            cloud.poll("2017-03-01");
        }
        harness.schedule(Cause.RESTART, "cloud-0");
    }

    private void move(String group) {
        harness.applyFleet(
                new FleetSpec(
                        List.of(),
                        List.of(MetadataHarness.machine("web-0", new GroupId("default", group), "127.0.0.1", false))),
                false);
    }

    /** A change between the look at the document and the registration must wake the request too. */
    @Test
    void noChangeIsMissed() {
        for (int i = 0; i < 50; i++) {
            long known =
                    harness.engine.view().find(MetadataHarness.WEB).document().incarnation();
            connection.send(RawConnection.head(
                            "GET " + RawConnection.EVENTS + "2017-03-01",
                            "Metadata: true",
                            "If-None-Match: " + MetadataHarness.etag(known),
                            "Prefer: wait=60")
                    + "\r\n");
            harness.schedule(Cause.FAILURE, "web-0");
            assertEquals(200, connection.answer().status());
            harness.advance(Duration.ofMinutes(6));
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
        assertEquals(seconds, PreferHeader.wait(List.of(header)));
    }

    private static void hold(RawConnection connection, int seconds) {
        connection.send(RawConnection.head(
                        "GET " + RawConnection.EVENTS + "2017-03-01",
                        "Metadata: true",
                        "If-None-Match: " + MetadataHarness.etag(1),
                        "Prefer: wait=" + seconds)
                + "\r\n");
    }

    private int waiting() {
        return harness.server.held();
    }
}
