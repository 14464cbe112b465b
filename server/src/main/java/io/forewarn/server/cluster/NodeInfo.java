package io.forewarn.server.cluster;

import io.forewarn.server.settings.ClockSettings.Kind;
import io.forewarn.wire.control.EnumNames;
import io.forewarn.wire.control.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a node publishes about itself. Newer releases may publish more; older ones published less.
 *
 * @param metadata the address where it serves machines
 * @param life the id of its current run, which signatures for it include; null if unknown
 * @param release its release; null if unknown
 * @param format the newest record format it can read; if null, the first
 * @param clock the kind of its clock; if null, the system clock
 * @param settings those by which it decides when it is the writer, by key; null if unknown
 */
record NodeInfo(
        String metadata, String life, String release, Integer format, String clock, Map<String, String> settings) {
    private static final int FIRST = 1;
    private static final String SYSTEM = EnumNames.of(Kind.SYSTEM);
    private static final NodeInfo NOTHING = new NodeInfo(null, null, null, null, null, null);

    /** As stored in etcd. */
    String text() {
        return new String(Json.write(this), StandardCharsets.UTF_8);
    }

    /** @param text null if there is no such node */
    static NodeInfo of(String text) {
        if (text == null) {
            return NOTHING;
        }
        try {
            NodeInfo info = Json.answer(NodeInfo.class, text.getBytes(StandardCharsets.UTF_8));
            return info == null ? NOTHING : info;
        } catch (IOException notOurs) {
            return NOTHING;
        }
    }

    int reads() {
        return format == null ? FIRST : format;
    }

    String clockKind() {
        return clock == null ? SYSTEM : clock;
    }

    /** Which settings make it decide differently from another node; null if there is none among those that both publish. */
    String differsFrom(NodeInfo here) {
        if (settings == null || here.settings == null) {
            return null;
        }
        List<String> others = new ArrayList<>();
        new TreeMap<>(here.settings).forEach((key, value) -> {
            String its = settings.get(key);
            if (its != null && !its.equals(value)) {
                others.add(key + " is " + its + " there, " + value + " here");
            }
        });
        return others.isEmpty() ? null : String.join("; ", others);
    }
}
