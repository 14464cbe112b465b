package io.forewarn.wire.control;

import java.util.List;

/**
 * The policy values of an event, and what keeps it from starting.
 *
 * @param status waiting, scheduled, started or ended
 * @param blockers what keeps it from starting now
 * @param values the values that apply to it, and their sources
 */
public record ExplanationBody(
        String event,
        String tenant,
        String group,
        String type,
        String status,
        String notBefore,
        List<StartBlockerBody> blockers,
        List<SourcedValueBody> values) {}
