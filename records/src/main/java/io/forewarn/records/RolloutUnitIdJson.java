package io.forewarn.records;

import io.forewarn.core.event.RolloutUnitId;
import java.io.IOException;

/** To which unit of which rollout something belongs. */
final class RolloutUnitIdJson {
    private RolloutUnitIdJson() {}

    static void write(JsonWriter out, RolloutUnitId rolloutUnitId) throws IOException {
        out.open("tie");
        out.text("rollout", rolloutUnitId.rollout());
        out.number("piece", rolloutUnitId.unit());
        out.close();
    }

    static RolloutUnitId read(JsonReader in) throws IOException {
        String rollout = null;
        Integer unit = null;
        in.open();
        for (String name = in.member(); name != null; name = in.member()) {
            switch (name) {
                case "rollout" -> rollout = in.sharedText();
                case "piece" -> unit = in.number();
                default -> in.skip();
            }
        }
        return new RolloutUnitId(
                DamagedRecordException.unlessNull(rollout, "rollout"),
                DamagedRecordException.unlessNull(unit, "piece"));
    }
}
