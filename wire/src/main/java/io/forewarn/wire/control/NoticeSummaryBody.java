package io.forewarn.wire.control;

import java.util.List;

/**
 * The figures of a notice report.
 *
 * @param kept had all the notice they were promised
 * @param waived started earlier because somebody approved them
 * @param fellShort started earlier though nobody approved them
 * @param without were promised none
 * @param calledOff never started
 * @param open have not started yet
 * @param worst by how much the worst of those that fell short did
 * @param worstEvent which one that was
 * @param machines how many machines the scheduled events named that started, counted event by event
 * @param neverSaw how many of these were never handed their event
 * @param sawLate how many were first handed it when it had started
 * @param neverSawPercent the share that never saw it
 * @param bands how many events were given how much notice
 */
public record NoticeSummaryBody(
        int events,
        int kept,
        int waived,
        int fellShort,
        int without,
        int calledOff,
        int open,
        String worst,
        String worstEvent,
        int machines,
        int neverSaw,
        int sawLate,
        int neverSawPercent,
        List<Band> bands) {
    /**
     * How many events were given so much notice.
     *
     * @param from at least
     * @param to less than; absent if there is no end
     */
    public record Band(String from, String to, int events) {}
}
