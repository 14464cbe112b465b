package io.forewarn.wire.control;

import java.util.List;

/**
 * Why an event is as it is.
 *
 * @param status waiting, scheduled, started or gone
 * @param held what keeps it from starting now
 * @param values what holds for it, and who said so
 */
public record ExplanationBody(
        String event,
        String tenant,
        String group,
        String type,
        String status,
        String notBefore,
        List<StartBlockerBody> held,
        List<SourcedValueBody> values) {}
