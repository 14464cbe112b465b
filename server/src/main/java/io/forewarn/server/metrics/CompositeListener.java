package io.forewarn.server.metrics;

import io.forewarn.core.engine.EngineListener;
import io.forewarn.core.engine.StoreException;
import io.forewarn.core.history.LogPage;
import io.forewarn.core.rules.Command;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** Combines several engine listeners. */
public record CompositeListener(List<EngineListener> journals) implements EngineListener {
    public CompositeListener {
        journals = List.copyOf(journals);
    }

    public static EngineListener of(EngineListener... journals) {
        return new CompositeListener(List.of(journals));
    }

    @Override
    public void committed(LogPage page, int commands, long commitNanos) {
        journals.forEach(j -> j.committed(page, commands, commitNanos));
    }

    @Override
    public void troubled(StoreException problem) {
        journals.forEach(j -> j.troubled(problem));
    }

    @Override
    public void failed(Command command, RuntimeException bug) {
        journals.forEach(j -> j.failed(command, bug));
    }

    @Override
    public void swept(int pages, int auditPages, Instant before) {
        journals.forEach(j -> j.swept(pages, auditPages, before));
    }

    @Override
    public void held(String why, Duration grace) {
        journals.forEach(j -> j.held(why, grace));
    }

    @Override
    public void recovered() {
        journals.forEach(EngineListener::recovered);
    }
}
