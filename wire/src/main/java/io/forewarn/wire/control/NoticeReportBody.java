package io.forewarn.wire.control;

import java.util.List;

/**
 * Notice promised against notice given.
 *
 * @param events in the order they ended, then those still open
 * @param summary the figures of all of them
 */
public record NoticeReportBody(List<NoticeBody> events, NoticeSummaryBody summary) {}
