package io.forewarn.wire.control;

import java.util.List;

/**
 * The totals of a notice report.
 *
 * @param kept events that had all of their promised notice
 * @param waived events that started earlier because someone approved them
 * @param fellShort events that started earlier without approval
 * @param without events that were promised no notice
 * @param cancelled events that never started
 * @param open events that have not started yet
 * @param worst the largest shortfall
 * @param worstEvent the event with the largest shortfall
 * @param machines machines named in scheduled events that started, counted per event
 * @param neverSaw how many of these never received their event
 * @param sawLate how many first received it after it had started
 * @param neverSawPercent the percentage that never received it
 * @param bands number of events by notice given
 */
public record NoticeSummaryBody(
        int events,
        int kept,
        int waived,
        int fellShort,
        int without,
        int cancelled,
        int open,
        String worst,
        String worstEvent,
        int machines,
        int neverSaw,
        int sawLate,
        int neverSawPercent,
        List<Band> bands) {
    /**
     * Number of events with notice in a range.
     *
     * @param from lower limit, included
     * @param to upper limit, not included; absent if there is none
     */
    public record Band(String from, String to, int events) {}
}
