package io.forewarn.wire.control;

import java.util.List;

/**
 * One line of history.
 *
 * @param what the step of the event, or what else happened
 * @param promised the notice promised
 * @param given the notice really given
 */
public record EntryBody(
        String at,
        String what,
        String tenant,
        String group,
        String event,
        String cause,
        List<String> machines,
        ActorBody by,
        String notBefore,
        String promised,
        String given,
        String detail) {}
