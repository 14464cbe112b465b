package io.forewarn.core.event;

/** States on whose behalf an event happens. */
public enum EventSource {
    PLATFORM,
    USER
}
