package io.forewarn.core.rules;

import java.time.Instant;

/**
 * Why an event may not start yet although it is approved or its notice is over.
 *
 * @param why for people
 * @param until when it is worth looking again; null if that depends on something that happens, not on time
 */
public record Hold(String why, Instant until) {}
