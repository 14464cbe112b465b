package io.forewarn.wire.guest;

import java.util.List;

/**
 * The open events of the machine's group.
 *
 * @param now service time
 */
public record GuestEvents(String now, String machine, String group, List<GuestEvent> events) {}
