package io.forewarn.wire.control;

import io.forewarn.core.NameRules;
import io.forewarn.core.fleet.FleetSpec;
import java.io.IOException;
import java.io.InputStream;

/**
 * Loads the demo fleet for a first start. Its machines have loopback addresses, so that {@code curl --interface} can act
 * as a machine.
 */
public final class DemoFleet {
    private DemoFleet() {}

    public static FleetSpec spec() {
        try (InputStream in = DemoFleet.class.getResourceAsStream("demo-fleet.yaml")) {
            return FleetReader.read(in, NameRules.DEFAULT_TENANT);
        } catch (IOException unreadable) {
            throw new IllegalStateException("demo-fleet.yaml is missing from the build.", unreadable);
        }
    }
}
