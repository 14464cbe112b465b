package io.forewarn.core.engine;

import io.forewarn.core.history.LogPage;
import io.forewarn.core.rules.Command;
import java.time.Duration;
import java.time.Instant;

/** Notified of every commit after it is published: the decision log, metrics, notifications. Must not block. */
public interface EngineListener {
    /**
     * @param page what happened; possibly no entries
     * @param commands how many commands the commit carried
     * @param commitNanos how long the store took
     */
    void committed(LogPage page, int commands, long commitNanos);

    /** The store did not accept a commit, or the outcome of one is being resolved. */
    void troubled(StoreException problem);

    /** A command could not be decided because of a fault in the service itself; it changed nothing. */
    default void failed(Command command, RuntimeException bug) {}

    /**
     * History that was old enough was dropped.
     *
     * @param pages of history
     * @param auditPages of the audit log
     * @param before everything older than this may be dropped
     */
    default void swept(int pages, int auditPages, Instant before) {}

    /** Service time was set, or nothing was answered for a while; nothing starts by time for now. */
    default void held(String why, Duration grace) {}

    /** The store accepts commits again. */
    void recovered();
}
