package io.forewarn.wire.control;

import java.util.Arrays;
import java.util.List;

/**
 * The notice of one event.
 *
 * @param at when it was scheduled; if it never was, when it started; if it never started either, when it was accepted
 * @param rollout the rollout it was part of
 * @param type the event type that machines saw: freeze, reboot, redeploy, preempt or terminate
 * @param cause what was requested, or what happened
 * @param rehearsal whether it was a rehearsal, which does nothing to the machines; absent if not
 * @param promised the notice promised; absent if no notice was promised
 * @param given the notice actually given: how long machines could read the event before it started; absent if it has not
 *     started
 * @param verdict kept (it got its full notice), waived (it started earlier because it was approved), shortfall (it started
 *     earlier without approval), not-promised (no notice was promised), cancelled (it never started) or open (it has not started
 *     yet)
 * @param startTrigger how it started, such as started-by-time or started-by-approval
 * @param approvedBy who approved it
 * @param neverSaw its machines that never received it
 * @param sawLate its machines that first received it after it had started
 * @param outcome how it ended; absent while it is open
 * @param endedAt when it ended; absent while it is open
 */
public record NoticeBody(
        String at,
        String tenant,
        String group,
        String rollout,
        String event,
        String type,
        String cause,
        Boolean rehearsal,
        List<String> machines,
        String promised,
        String given,
        String verdict,
        String startTrigger,
        String startedAt,
        ActorBody approvedBy,
        List<String> neverSaw,
        List<String> sawLate,
        String outcome,
        String endedAt) {
    /** The names of its cells. */
    public static final List<String> CELLS = List.of(
            "at",
            "tenant",
            "group",
            "rollout",
            "event",
            "type",
            "cause",
            "machines",
            "promised",
            "given",
            "verdict",
            "startTrigger",
            "startedAt",
            "approvedByKind",
            "approvedByName",
            "neverSaw",
            "sawLate",
            "outcome",
            "endedAt",
            "rehearsal");

    public List<String> cells() {
        return Arrays.asList(
                at,
                tenant,
                group,
                rollout,
                event,
                type,
                cause,
                HistoryEntryBody.cell(machines),
                promised,
                given,
                verdict,
                startTrigger,
                startedAt,
                approvedBy == null ? null : approvedBy.kind(),
                approvedBy == null ? null : approvedBy.name(),
                HistoryEntryBody.cell(neverSaw),
                HistoryEntryBody.cell(sawLate),
                outcome,
                endedAt,
                rehearsal == null ? null : rehearsal.toString());
    }
}
