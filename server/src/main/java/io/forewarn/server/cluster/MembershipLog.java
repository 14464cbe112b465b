package io.forewarn.server.cluster;

import io.forewarn.server.log.Log;
import io.forewarn.server.log.LogLine;
import java.util.Map;

/** Logs which other nodes join and leave, and which one is followed. For one thread. */
final class MembershipLog {
    private final Log log;
    private Map<String, String> known;
    private String followed;

    MembershipLog(Log log) {
        this.log = log;
    }

    /**
     * Logs what changed.
     *
     * @param own this node
     * @param writer null if there is none
     * @param nodes by name, with what each publishes about itself
     */
    void seen(String own, String writer, Map<String, String> nodes) {
        if (known != null) {
            for (String node : known.keySet()) {
                if (!nodes.containsKey(node) && !node.equals(own)) {
                    gone(node);
                }
            }
            nodes.forEach((name, about) -> {
                if (!known.containsKey(name) && !name.equals(own)) {
                    log.write(LogLine.info("node-joined")
                            .with("node", name)
                            .with("release", NodeInfo.of(about).release()));
                }
            });
        }
        known = Map.copyOf(nodes);
        if (writer != null && !writer.equals(followed)) {
            followed = writer;
            if (!writer.equals(own)) {
                log.write(LogLine.info("follows").with("writer", writer));
            }
        }
    }

    private void gone(String node) {
        log.write(LogLine.warning("node-lost")
                .with("node", node)
                .with("wrote", node.equals(followed))
                .with("reason", "it was stopped, or its lease expired"));
    }
}
