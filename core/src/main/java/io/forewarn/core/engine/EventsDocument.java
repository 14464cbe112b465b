package io.forewarn.core.engine;

import io.forewarn.core.event.Event;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Function;

/** What the machines of a group may see, between two changes. Immutable but for the renderings it remembers. */
public final class EventsDocument {
    /** How many spellings a document can remember. */
    public static final int SLOTS = 16;

    private final long incarnation;
    private final List<Event> events;
    private final AtomicReferenceArray<Object> renderings = new AtomicReferenceArray<>(SLOTS);

    public EventsDocument(long incarnation, List<Event> events) {
        this.incarnation = incarnation;
        this.events = List.copyOf(events);
    }

    public long incarnation() {
        return incarnation;
    }

    public List<Event> events() {
        return events;
    }

    /** The document in one spelling, made at the first call for its slot. Two callers at once may both make it; both are right. */
    @SuppressWarnings("unchecked") // A slot is always used with one type.
    public <T> T rendered(int slot, Function<EventsDocument, T> renderer) {
        Object known = renderings.getPlain(slot);
        if (known == null) {
            known = renderer.apply(this);
            renderings.setRelease(slot, known);
        }
        return (T) known;
    }
}
