package io.forewarn.wire.guest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.forewarn.core.event.EventId;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GuestRouteTest {
    private static final EventId ID = new EventId(UUID.fromString("f020ba2e-3bc0-4c40-a10b-86575a9eabd5"));

    @Test
    void eachRouteIsFoundWithoutRegardToCase() {
        for (GuestRoute route : GuestRoute.values()) {
            String path = route.template().replace("{id}", ID.toString());
            EventId event = path.equals(route.template()) ? null : ID;
            for (String typed :
                    new String[] {path, path.toLowerCase(java.util.Locale.ROOT), path.toUpperCase(java.util.Locale.ROOT)
                    }) {
                assertEquals(
                        new GuestRoute.Match(route, event),
                        GuestRoute.match(typed).orElseThrow());
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "/",
                "/forewarn",
                "/forewarn/v1",
                "/forewarn/v1/",
                "/forewarn/v2/events",
                "/forewarn/v1/events/",
                "/forewarn/v1/events/17/ready",
                "/forewarn/v1/events//ready",
                "/forewarn/v1/events/ready",
                "/forewarn/v1/events/F020BA2E-3BC0-4C40-A10B-86575A9EABD5",
                "/forewarn/v1/events/F020BA2E-3BC0-4C40-A10B-86575A9EABD5/ready/",
                "/metadata/scheduledevents"
            })
    void nothingElseIs(String path) {
        assertTrue(GuestRoute.match(path).isEmpty());
    }
}
