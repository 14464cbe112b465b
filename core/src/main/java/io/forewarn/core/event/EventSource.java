package io.forewarn.core.event;

/** On whose behalf an event happens. */
public enum EventSource {
    PLATFORM,
    USER
}
