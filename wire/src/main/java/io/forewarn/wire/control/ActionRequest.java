package io.forewarn.wire.control;

import java.util.List;

/**
 * An operation on machines.
 *
 * @param machines names or patterns, in which `*` stands for any characters and `?` for one; omitted if the path names the
 *     machine
 * @param notice notice, such as 20m; default: the minimum for the type
 * @param description text of the event; default: a standard text
 * @param rehearsal whether this is a rehearsal, which is scheduled and started as usual but does nothing to the machines
 * @param duration how long a machine is expected to be unavailable, from 0s to 7 days, such as 5s, which machines read as
 *     DurationInSeconds; default: from the driver. Plans go by it only if work is simulated
 */
public record ActionRequest(
        List<String> machines, String notice, String description, Boolean rehearsal, String duration) {}
