package io.forewarn.wire.guest;

import java.util.List;

/**
 * A machine's own group's open events.
 *
 * @param now service time
 */
public record GuestEvents(String now, String machine, String group, List<GuestEvent> events) {}
