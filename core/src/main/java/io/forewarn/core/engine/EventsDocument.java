package io.forewarn.core.engine;

import io.forewarn.core.event.Event;
import io.forewarn.core.fleet.GroupId;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Function;

/**
 * The events that the machines of a group may see: what Azure calls the Scheduled Events document. Immutable, except that it
 * caches its renderings.
 */
public final class EventsDocument {
    /** How many renderings a document can cache. */
    public static final int SLOTS = 16;

    private final GroupId group;
    private final long incarnation;
    private final List<Event> events;
    private final AtomicReferenceArray<Object> renderings = new AtomicReferenceArray<>(SLOTS);

    public EventsDocument(GroupId group, long incarnation, List<Event> events) {
        this.group = group;
        this.incarnation = incarnation;
        this.events = List.copyOf(events);
    }

    public GroupId group() {
        return group;
    }

    public long incarnation() {
        return incarnation;
    }

    public List<Event> events() {
        return events;
    }

    /**
     * One rendering of the document, made at the first call for its slot. Two concurrent callers may both make it; the
     * results are equal.
     */
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
