package io.forewarn.wire.azure;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.forewarn.core.Problem;
import io.forewarn.wire.ProblemStatus;
import org.junit.jupiter.api.Test;

class ErrorJsonTest {
    @Test
    void theTextsAreTheRealOnesByteForByte() {
        assertEquals(
                "{ \"error\": \"Bad request: . Required metadata header not specified\" }",
                ErrorJson.NO_METADATA_HEADER);
        assertEquals(
                "{\"error\":\"Bad request. api-version is invalid or was not specified in the request. For more information"
                        + " refer to aka.ms/azureimds\",\"newest-versions\":[\"2020-07-01\",\"2019-08-01\",\"2019-04-01\"]}",
                ErrorJson.NO_API_VERSION);
        assertEquals("{ \"error\": \"Not found. Invalid version requested\" }", ErrorJson.UNKNOWN_API_VERSION);
        assertEquals("{ \"error\": \"Not found\" }", ErrorJson.NOT_FOUND);
        assertEquals("{\"error\":\"a \\\"b\\\" \\n\"}", ErrorJson.of("a \"b\" \n"));
    }

    @Test
    void everyVersionIsListed() {
        assertEquals(
                "{\"apiVersions\":[\"2017-03-01\",\"2017-08-01\",\"2017-11-01\",\"2019-01-01\",\"2019-04-01\",\"2019-08-01\","
                        + "\"2020-07-01\"]}",
                VersionsJson.TEXT);
    }

    @Test
    void problemsHaveAStatusAndMayPass() {
        assertEquals(400, ProblemStatus.of(Problem.BAD_INPUT));
        assertEquals(503, ProblemStatus.of(Problem.STORE_UNAVAILABLE));
        assertEquals(true, ProblemStatus.passing(Problem.BUSY));
    }
}
