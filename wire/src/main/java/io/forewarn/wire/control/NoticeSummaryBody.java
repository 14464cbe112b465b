package io.forewarn.wire.control;

import java.util.List;

/**
 * The totals of a notice report.
 *
 * @param kept events that got their full notice
 * @param waived events that started earlier because someone approved them
 * @param shortfall events that started earlier without approval
 * @param notPromised events for which no notice was promised
 * @param cancelled events that never started
 * @param open events that have not started yet
 * @param largestShortfall the largest shortfall
 * @param largestShortfallEvent the event with the largest shortfall
 * @param machines machines named in scheduled events that started, counted once for each event
 * @param neverSaw how many of these never received their event
 * @param sawLate how many first received it after it had started
 * @param neverSawPercent the percentage that never received it
 * @param buckets number of events by notice given
 */
public record NoticeSummaryBody(
        int events,
        int kept,
        int waived,
        int shortfall,
        int notPromised,
        int cancelled,
        int open,
        String largestShortfall,
        String largestShortfallEvent,
        int machines,
        int neverSaw,
        int sawLate,
        int neverSawPercent,
        List<NoticeBucket> buckets) {
    /**
     * Number of events with notice in a range.
     *
     * @param from lower limit, inclusive
     * @param to upper limit, exclusive; absent if there is none
     */
    public record NoticeBucket(String from, String to, int events) {}
}
