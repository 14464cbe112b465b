package io.forewarn.server.cluster;

import io.forewarn.core.engine.StoreException;
import io.forewarn.server.log.Log;
import io.forewarn.server.log.LogLine;
import java.util.Map;
import java.util.Optional;

/** Which other nodes came, ended or were lost, and which one is followed: a line in the log for each. One thread. */
final class MembershipLog {
    /** What nodes say when they end. */
    interface Farewells {
        /** What a node said of itself when it ended; empty if it did not say that it ends. */
        Optional<String> of(String node) throws StoreException;
    }

    private final Farewells farewells;
    private final Log log;
    private Map<String, String> known;
    private String followed;

    MembershipLog(Farewells farewells, Log log) {
        this.farewells = farewells;
        this.log = log;
    }

    /**
     * Who is there.
     *
     * @param own this node
     * @param writer null if there is none
     * @param nodes by name, with what each says of itself
     */
    void seen(String own, String writer, Map<String, String> nodes) throws StoreException {
        if (known != null) {
            for (Map.Entry<String, String> node : known.entrySet()) {
                if (!nodes.containsKey(node.getKey()) && !node.getKey().equals(own)) {
                    gone(node.getKey(), node.getValue());
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

    private void gone(String node, String about) throws StoreException {
        boolean inOrder = farewells.of(node).filter(about::equals).isPresent();
        LogLine line = inOrder ? LogLine.info("node-ended") : LogLine.warning("node-lost");
        log.write(line.with("node", node)
                .with("wrote", node.equals(followed))
                .with("why", inOrder ? null : "its lease ran out, and it had not said that it ends"));
    }
}
