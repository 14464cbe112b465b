package io.forewarn.wire.guest;

import io.forewarn.core.event.EventId;
import io.forewarn.wire.control.PostponeRequest;
import java.util.Locale;
import java.util.Optional;

/**
 * Lists all requests of machines under {@code /forewarn/v1}, one row each. Paths are compared without regard to case, like
 * Azure's. Each request needs the identity of a machine but no token, and is about that machine's own group.
 */
public enum GuestRoute {
    EVENTS("GET", "/events", "The open events of the machine's group.", null, GuestEvents.class),
    READY("POST", "/events/{id}/ready", "Reports that the machine is ready for an event.", null, GuestEvent.class),
    POSTPONE(
            "POST",
            "/events/{id}/postpone",
            "Postpones an event, as far as the policy allows machines.",
            PostponeRequest.class,
            GuestEvent.class),
    RECOVERED("POST", "/recovered", "Reports that the machine has recovered.", null, null);

    /**
     * A route with the event that its path names.
     *
     * @param event null where the path names none
     */
    public record Match(GuestRoute route, EventId event) {}

    private static final String PREFIX = "/forewarn/v1/";
    private static final String ID = "{id}";

    private final String method;
    private final String template;
    private final String summary;
    private final Class<?> body;
    private final Class<?> answer;

    GuestRoute(String method, String template, String summary, Class<?> body, Class<?> answer) {
        this.method = method;
        this.template = "/forewarn/v1" + template;
        this.summary = summary;
        this.body = body;
        this.answer = answer;
    }

    public String summary() {
        return summary;
    }

    /** The record of its request body; empty if it takes none. */
    public Optional<Class<?>> body() {
        return Optional.ofNullable(body);
    }

    /** The record of its answer; empty if that is an empty object. */
    public Optional<Class<?>> answer() {
        return Optional.ofNullable(answer);
    }

    public String method() {
        return method;
    }

    public String template() {
        return template;
    }

    /** Cheap for other paths, because every request that is not a plain poll is matched here. */
    public static Optional<Match> match(String path) {
        if (!path.regionMatches(true, 0, PREFIX, 0, PREFIX.length())) {
            return Optional.empty();
        }
        String lower = path.toLowerCase(Locale.ROOT);
        for (GuestRoute route : values()) {
            String whole = route.template;
            int id = whole.indexOf(ID);
            if (id < 0 && whole.equals(lower)) {
                return Optional.of(new Match(route, null));
            }
            String tail = id < 0 ? "" : whole.substring(id + ID.length());
            if (id > 0
                    && lower.startsWith(whole.substring(0, id))
                    && lower.endsWith(tail)
                    && lower.length() > id + tail.length()) {
                Optional<EventId> event = EventId.parse(lower.substring(id, lower.length() - tail.length()));
                if (event.isPresent()) {
                    return event.map(e -> new Match(route, e));
                }
            }
        }
        return Optional.empty();
    }
}
