package io.forewarn.wire.control;

import java.util.List;

/**
 * Notice promised and given.
 *
 * @param events in the order in which they ended, then those still open
 * @param summary the totals
 */
public record NoticeReportBody(List<NoticeBody> events, NoticeSummaryBody summary) {}
