package io.forewarn.wire.azure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.forewarn.core.event.EventType;
import io.forewarn.core.fleet.GroupKind;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class DocumentJsonTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    @ParameterizedTest
    @EnumSource(ApiVersion.class)
    void noVersionHasAFieldBeyondItsOwn(ApiVersion version) throws IOException {
        List<String> wanted = new ArrayList<>(
                List.of("EventId", "EventStatus", "EventType", "ResourceType", "Resources", "NotBefore"));
        if (version.compareTo(ApiVersion.V2019_04_01) >= 0) {
            wanted.add("Description");
        }
        if (version.compareTo(ApiVersion.V2019_08_01) >= 0) {
            wanted.add("EventSource");
        }
        if (version.compareTo(ApiVersion.V2020_07_01) >= 0) {
            wanted.add("DurationInSeconds");
        }
        JsonNode document = read(SampleDocuments.EVERYTHING, version);
        assertEquals(List.of("DocumentIncarnation", "Events"), names(document));
        for (JsonNode event : document.get("Events")) {
            assertEquals(wanted, names(event));
        }
    }

    @Test
    void eventsOfNewerTypesAreLeftOutOfOlderVersions() throws IOException {
        assertEquals(List.of("Freeze", "Reboot", "Redeploy", "Reboot", "Reboot"), types(ApiVersion.V2017_08_01));
        assertTrue(types(ApiVersion.V2017_11_01).contains("Preempt"));
        assertFalse(types(ApiVersion.V2017_11_01).contains("Terminate"));
        assertTrue(types(ApiVersion.V2019_01_01).contains("Terminate"));
        assertEquals(
                5,
                DocumentJson.visible(SampleDocuments.EVERYTHING.document, ApiVersion.V2017_08_01)
                        .size());
        assertEquals(
                7,
                DocumentJson.visible(SampleDocuments.EVERYTHING.document, ApiVersion.V2020_07_01)
                        .size());
    }

    @ParameterizedTest
    @EnumSource(ApiVersion.class)
    void allVersionsShareOneIncarnation(ApiVersion version) throws IOException {
        assertEquals(
                17,
                read(SampleDocuments.EVERYTHING, version)
                        .get("DocumentIncarnation")
                        .asInt());
    }

    @Test
    void namesCarryAnUnderscoreOnlyOutsideACloudServiceAndOnlyInThePreview() throws IOException {
        PreviewOptions underscore = new PreviewOptions(false, true);
        assertEquals("_FrontEnd_IN_0", leader(ApiVersion.V2017_03_01, GroupKind.SINGLE, underscore));
        assertEquals("FrontEnd_IN_0", leader(ApiVersion.V2017_03_01, GroupKind.CLOUD_SERVICE, underscore));
        assertEquals("FrontEnd_IN_0", leader(ApiVersion.V2017_08_01, GroupKind.SINGLE, underscore));
        assertEquals("FrontEnd_IN_0", leader(ApiVersion.V2017_03_01, GroupKind.SINGLE, PreviewOptions.PAGE));
    }

    @Test
    void aDayHasTwoDigitsAndTheRightWeekday() {
        assertEquals("Mon, 19 Sep 2016 18:29:47 GMT", AzureDates.rfc1123(Instant.parse("2016-09-19T18:29:47Z")));
        assertEquals("Thu, 01 Sep 2016 00:00:00 GMT", AzureDates.rfc1123(Instant.parse("2016-09-01T00:00:00Z")));
        assertEquals("2016-09-19T18:29:47Z", AzureDates.iso8601(Instant.parse("2016-09-19T18:29:47Z")));
    }

    @Test
    void aPartOfASecondRoundsUp() {
        assertEquals("2016-09-19T18:29:48Z", AzureDates.iso8601(Instant.parse("2016-09-19T18:29:47.001Z")));
    }

    @Test
    void everyTypeAppearsWithItsFirstVersion() {
        assertTrue(ApiVersion.V2017_03_01.shows(EventType.FREEZE));
        assertFalse(ApiVersion.V2017_08_01.shows(EventType.PREEMPT));
        assertTrue(ApiVersion.V2017_11_01.shows(EventType.PREEMPT));
        assertFalse(ApiVersion.V2017_11_01.shows(EventType.TERMINATE));
        assertTrue(ApiVersion.V2019_01_01.shows(EventType.TERMINATE));
    }

    @Test
    void aVersionIsADayOfTheCalendar() {
        assertTrue(ApiVersion.isDate("2021-01-01"));
        assertFalse(ApiVersion.isDate("latest"));
        assertFalse(ApiVersion.isDate("2021-1-1"));
        assertFalse(ApiVersion.isDate("2021-13-01"));
        assertFalse(ApiVersion.isDate(""));
    }

    private static String leader(ApiVersion version, GroupKind kind, PreviewOptions previewOptions) throws IOException {
        return JSON.readTree(DocumentJson.render(SampleDocuments.SCHEDULED.document, version, kind, previewOptions))
                .at("/Events/0/Resources/0")
                .asText();
    }

    private static List<String> types(ApiVersion version) throws IOException {
        List<String> types = new ArrayList<>();
        read(SampleDocuments.EVERYTHING, version)
                .get("Events")
                .forEach(e -> types.add(e.get("EventType").asText()));
        return types;
    }

    private static JsonNode read(SampleDocuments state, ApiVersion version) throws IOException {
        return JSON.readTree(
                DocumentJson.render(state.document, version, GroupKind.AVAILABILITY_SET, PreviewOptions.PAGE));
    }

    private static List<String> names(JsonNode object) {
        List<String> names = new ArrayList<>();
        object.fieldNames().forEachRemaining(names::add);
        return names;
    }
}
