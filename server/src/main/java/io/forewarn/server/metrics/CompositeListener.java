package io.forewarn.server.metrics;

import io.forewarn.core.engine.EngineListener;
import io.forewarn.core.engine.StoreException;
import io.forewarn.core.history.LogPage;
import io.forewarn.core.rules.Command;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** Combines several engine listeners. */
public record CompositeListener(List<EngineListener> listeners) implements EngineListener {
    public CompositeListener {
        listeners = List.copyOf(listeners);
    }

    public static EngineListener of(EngineListener... listeners) {
        return new CompositeListener(List.of(listeners));
    }

    @Override
    public void committed(LogPage page, int commands, long commitNanos) {
        listeners.forEach(j -> j.committed(page, commands, commitNanos));
    }

    @Override
    public void troubled(StoreException problem) {
        listeners.forEach(j -> j.troubled(problem));
    }

    @Override
    public void failed(Command command, RuntimeException bug) {
        listeners.forEach(j -> j.failed(command, bug));
    }

    @Override
    public void swept(int pages, int auditPages, Instant before) {
        listeners.forEach(j -> j.swept(pages, auditPages, before));
    }

    @Override
    public void held(String why, Duration grace) {
        listeners.forEach(j -> j.held(why, grace));
    }

    @Override
    public void recovered() {
        listeners.forEach(EngineListener::recovered);
    }
}
