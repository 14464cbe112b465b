package io.forewarn.wire.control;

import java.util.List;

/**
 * Something to do to machines.
 *
 * @param machines names; left out when the path names the machine
 * @param notice how long before, such as 20m; left out for the least the type allows
 * @param description what the event says of itself; left out for the usual words
 * @param rehearsal schedule and start it like the real thing; do nothing to the machines
 * @param duration how long a machine is expected to be away, such as 5s, which machines read as DurationInSeconds; left out for what the driver says
 */
public record ActionRequest(
        List<String> machines, String notice, String description, Boolean rehearsal, String duration) {}
