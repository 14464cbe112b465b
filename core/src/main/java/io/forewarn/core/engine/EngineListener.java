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

    /** The store did not take a commit, or is being asked what became of one. */
    void troubled(StoreException problem);

    /** A command could not be decided because of a fault in the service itself; it changed nothing. */
    default void failed(Command command, RuntimeException bug) {}

    /**
     * History that was old enough was dropped.
     *
     * @param pages of history
     * @param auditPages of the audit log
     * @param before what is older than this may go
     */
    default void swept(int pages, int auditPages, Instant before) {}

    /** Service time was set, or nothing was answered for a while: for now nothing starts by time. */
    default void held(String why, Duration grace) {}

    /** The store takes commits again. */
    void recovered();
}
