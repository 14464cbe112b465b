package io.forewarn.server.metadata;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.forewarn.wire.azure.ErrorJson;
import io.forewarn.wire.azure.VersionsJson;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Contract §6. */
class NeighbourPathsTest {
    private static final String TRUE = "Metadata: true";
    private static MetadataHarness harness;
    private static RawConnection connection;

    @BeforeAll
    static void start() {
        harness = new MetadataHarness();
        connection = harness.talk("127.0.0.2");
    }

    @AfterAll
    static void stop() {
        connection.close();
        harness.close();
    }

    @Test
    void aMachineReadsItsOwnMetadata() {
        RawConnection.Answer answer = connection.get("/metadata/instance?api-version=2017-08-01", TRUE);
        assertEquals(200, answer.status());
        assertEquals("application/json; charset=utf-8", answer.header("content-type"));
        assertTrue(answer.body().contains("\"name\":\"web-1\""), answer.body());
        assertTrue(answer.body().contains("\"platformUpdateDomain\":\"1\""), answer.body());
        assertTrue(answer.body().contains("\"privateIpAddress\":\"127.0.0.2\""), answer.body());
    }

    @Test
    void aLeafAsTextIsPlain() {
        RawConnection.Answer answer =
                connection.get("/Metadata/Instance/compute/name?api-version=2021-02-01&format=text", TRUE);
        assertEquals("web-1", answer.body());
        assertEquals("text/plain; charset=utf-8", answer.header("content-type"));
    }

    @ParameterizedTest
    @CsvSource({
        "/metadata/instance?api-version=2017-08-01, 200",
        "/metadata/instance/?api-version=2019-06-04, 200",
        "/metadata/instance?api-version=2023-11-15, 200",
        "/metadata/instance/compute/nothing?api-version=2017-08-01, 404",
        "/metadata/instance?api-version=2017-03-01, 404",
        "/metadata/instance?api-version=2017-04-02, 404",
        "/metadata/instance?api-version=latest, 400",
        "/metadata/instance, 400",
        "/metadata/instance?api-version=2017-08-01&format=text&format=json, 400",
    })
    void anyDateFromTheSecondVersionOnIsAnswered(String uri, int status) {
        assertEquals(status, connection.get(uri, TRUE).status());
    }

    @Test
    void withoutAVersionTheInstanceListsItsOwn() {
        RawConnection.Answer answer = connection.get("/metadata/instance", TRUE);
        assertEquals(400, answer.status());
        assertEquals(ErrorJson.NO_INSTANCE_VERSION, answer.body());
        Matcher versions = Pattern.compile("\\d{4}-\\d{2}-\\d{2}").matcher(answer.body());
        int listed = 0;
        for (; versions.find(); listed++) {
            assertEquals(
                    200,
                    connection
                            .get("/metadata/instance?api-version=" + versions.group(), TRUE)
                            .status());
        }
        assertEquals(3, listed);
    }

    @Test
    void theVersionsAreListed() {
        assertEquals(
                VersionsJson.TEXT, connection.get("/metadata/versions", TRUE).body());
        assertEquals(400, connection.get("/metadata/versions").status());
    }
}
