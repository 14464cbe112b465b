package io.forewarn.server.control;

import io.forewarn.server.history.Notice;
import io.forewarn.server.history.Summary;
import io.forewarn.server.history.Verdict;
import io.forewarn.wire.control.Durations;
import io.forewarn.wire.control.NoticeBody;
import io.forewarn.wire.control.NoticeSummaryBody;
import io.forewarn.wire.control.EnumNames;
import java.time.Duration;

/** The notice report as the control API spells it. */
final class NoticeReportMapper {
    private NoticeReportMapper() {}

    static NoticeBody notice(Notice notice) {
        return new NoticeBody(
                BodyMapper.time(notice.since()),
                notice.group() == null ? null : notice.group().tenant(),
                notice.group() == null ? null : notice.group().name(),
                notice.rollout(),
                notice.event().toString(),
                notice.cause() == null ? null : EnumNames.of(notice.cause().type()),
                notice.cause() == null ? null : EnumNames.of(notice.cause()),
                notice.machines(),
                duration(notice.promised()),
                duration(notice.given()),
                EnumNames.of(notice.verdict()),
                notice.started() == null ? null : EnumNames.of(notice.started()),
                BodyMapper.time(notice.startedAt()),
                BodyMapper.actor(notice.approvedBy()),
                notice.neverSaw().isEmpty() ? null : notice.neverSaw(),
                notice.sawLate().isEmpty() ? null : notice.sawLate(),
                notice.ended() == null ? null : EnumNames.of(notice.ended()));
    }

    static NoticeSummaryBody summary(Summary summary) {
        Notice worst = summary.worst();
        return new NoticeSummaryBody(
                summary.events(),
                summary.of(Verdict.KEPT),
                summary.of(Verdict.WAIVED),
                summary.of(Verdict.SHORT),
                summary.of(Verdict.WITHOUT),
                summary.of(Verdict.CALLED_OFF),
                summary.of(Verdict.OPEN),
                worst == null ? null : duration(worst.missing()),
                worst == null ? null : worst.event().toString(),
                summary.machines(),
                summary.neverSaw(),
                summary.sawLate(),
                summary.machines() == 0 ? 0 : Math.round(100f * summary.neverSaw() / summary.machines()),
                summary.bands().stream()
                        .map(b -> new NoticeSummaryBody.Band(duration(b.from()), duration(b.to()), b.events()))
                        .toList());
    }

    private static String duration(Duration duration) {
        return duration == null ? null : Durations.print(duration);
    }
}
