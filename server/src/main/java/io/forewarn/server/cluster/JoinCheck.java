package io.forewarn.server.cluster;

import io.forewarn.core.Problem;
import io.forewarn.core.RefusedException;
import io.forewarn.server.settings.ClockSettings.Kind;
import io.forewarn.wire.control.EnumNames;
import java.util.Map;

/**
 * Decides whether a node may join. All nodes need the same kind of clock: the cluster's time would otherwise stop, or run
 * when it should stand still, as soon as a node with another kind became the writer.
 */
public final class JoinCheck {
    private final String name;
    private final Kind clock;

    /** @param name the node that wants to join */
    public JoinCheck(String name, Kind clock) {
        this.name = name;
        this.clock = clock;
    }

    /**
     * @param nodes the live nodes by name, with what each publishes about itself
     * @throws RefusedException if this node may not join
     */
    public void look(Map<String, String> nodes) {
        nodes.forEach((other, about) -> {
            String kind = NodeInfo.of(about).clockKind();
            if (!other.equals(name) && !kind.equals(EnumNames.of(clock))) {
                throw new RefusedException(
                        Problem.CONFLICT,
                        "this cluster runs on the " + kind + " clock, like node " + other + "; --clock "
                                + EnumNames.of(clock) + " cannot join it. Start this node with --clock " + kind
                                + ", or on another store");
            }
        });
    }
}
