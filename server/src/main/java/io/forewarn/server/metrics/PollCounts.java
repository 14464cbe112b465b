package io.forewarn.server.metrics;

/** Provides the numbers of answered polls. */
public interface PollCounts {
    /** Receives one count. */
    interface Visitor {
        /** @param version blank for requests without a known version */
        void visit(String version, int status, long count);
    }

    void forEach(Visitor visitor);
}
