package io.forewarn.server.metrics;

/** How many polls were answered, whoever counts them. */
public interface PollCounts {
    /** Is told one count. */
    interface Visitor {
        /** @param version blank for requests that named none we know */
        void visit(String version, int status, long count);
    }

    void forEach(Visitor visitor);
}
