package io.forewarn.server.control;

import io.forewarn.server.history.EventNotice;
import io.forewarn.server.history.NoticeSummary;
import io.forewarn.server.history.NoticeVerdict;
import io.forewarn.wire.control.Durations;
import io.forewarn.wire.control.EnumNames;
import io.forewarn.wire.control.NoticeBody;
import io.forewarn.wire.control.NoticeSummaryBody;
import java.time.Duration;

/** Maps the notice report to bodies of the control API. */
final class NoticeReportMapper {
    private NoticeReportMapper() {}

    static NoticeBody notice(EventNotice eventNotice) {
        return new NoticeBody(
                BodyMapper.time(eventNotice.since()),
                eventNotice.group() == null ? null : eventNotice.group().tenant(),
                eventNotice.group() == null ? null : eventNotice.group().name(),
                eventNotice.rollout(),
                eventNotice.event().toString(),
                eventNotice.cause() == null
                        ? null
                        : EnumNames.of(eventNotice.cause().type()),
                eventNotice.cause() == null ? null : EnumNames.of(eventNotice.cause()),
                eventNotice.rehearsal() ? true : null,
                eventNotice.machines(),
                duration(eventNotice.promised()),
                duration(eventNotice.given()),
                EnumNames.of(eventNotice.verdict()),
                eventNotice.started() == null ? null : EnumNames.of(eventNotice.started()),
                BodyMapper.time(eventNotice.startedAt()),
                BodyMapper.actor(eventNotice.approvedBy()),
                eventNotice.neverSaw().isEmpty() ? null : eventNotice.neverSaw(),
                eventNotice.sawLate().isEmpty() ? null : eventNotice.sawLate(),
                eventNotice.ended() == null ? null : EnumNames.of(eventNotice.ended()),
                BodyMapper.time(eventNotice.endedAt()));
    }

    static NoticeSummaryBody summary(NoticeSummary noticeSummary) {
        EventNotice worst = noticeSummary.worst();
        return new NoticeSummaryBody(
                noticeSummary.events(),
                noticeSummary.of(NoticeVerdict.KEPT),
                noticeSummary.of(NoticeVerdict.WAIVED),
                noticeSummary.of(NoticeVerdict.SHORTFALL),
                noticeSummary.of(NoticeVerdict.NOT_PROMISED),
                noticeSummary.of(NoticeVerdict.CANCELLED),
                noticeSummary.of(NoticeVerdict.OPEN),
                worst == null ? null : duration(worst.missing()),
                worst == null ? null : worst.event().toString(),
                noticeSummary.machines(),
                noticeSummary.neverSaw(),
                noticeSummary.sawLate(),
                noticeSummary.machines() == 0
                        ? 0
                        : Math.round(100f * noticeSummary.neverSaw() / noticeSummary.machines()),
                noticeSummary.buckets().stream()
                        .map(b -> new NoticeSummaryBody.NoticeBucket(duration(b.from()), duration(b.to()), b.events()))
                        .toList());
    }

    private static String duration(Duration duration) {
        return duration == null ? null : Durations.print(duration);
    }
}
