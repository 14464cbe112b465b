package io.forewarn.wire.openapi;

import io.forewarn.core.Actor;
import io.forewarn.core.Problem;
import io.forewarn.core.access.Role;
import io.forewarn.core.event.Cause;
import io.forewarn.core.event.EventSource;
import io.forewarn.core.event.EventType;
import io.forewarn.core.event.Phase;
import io.forewarn.core.event.Transition;
import io.forewarn.core.fleet.GroupKind;
import io.forewarn.core.history.HistoryEntry;
import io.forewarn.core.notification.DigestSchedule;
import io.forewarn.core.notification.WebhookFormat;
import io.forewarn.core.rollout.Rollout;
import io.forewarn.core.rollout.RolloutSpec;
import io.forewarn.core.rules.MachineCondition;
import io.forewarn.wire.control.Action;
import io.forewarn.wire.control.EnumNames;
import io.forewarn.wire.control.PlannedUnitBody;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Defines the formats of string properties and which properties are required, for the schemas. */
final class SchemaFormats {
    /**
     * Format, then the properties that have it. A property without a row is an optional string; numbers and booleans that
     * cannot be absent need no row.
     */
    private static final String TABLE = """
            always        HistoryEntry.at HistoryEntry.kind HistoryEntry.by Actor.kind Error.error Error.problem
            always        Event.id Event.status Findings.findings Finding.subject Finding.problem Finding.fix
            always        Group.tenant Group.name Group.kind Machine.tenant Machine.name Machine.group Machine.addresses Machine.state
            always        Machine.polling CommandResult.events Explanation.event Explanation.tenant Explanation.group Explanation.type Explanation.status
            always        Explanation.blockers Explanation.values StartBlocker.reason SourcedValue.name SourcedValue.value SourcedValue.source
            always        Rollout.name Rollout.type Rollout.status Rollout.target Rollout.createdAt RolloutUnit.name RolloutUnit.events
            always        ClosedTimes.tenant TimeSpan.from TimeSpan.until PlanStep.recoveredAt
            always        PlannedUnit.name PlannedUnit.state PlannedUnit.machines
            always        Plan.name Plan.endsAt Plan.duration Plan.blocked Plan.steps PlanStep.unit PlanStep.scheduledAt PlanStep.startsAt PlanStep.endsAt PlanStep.groups
            always        Notice.at Notice.event Notice.machines Notice.verdict NoticeReport.events NoticeReport.summary
            always        NoticeSummary.buckets NoticeBucket.from Clock.clock Clock.now Token.name Token.role Token.tenant Token.createdAt Tenant.name
            always        Status.version Status.uptime Status.clock Status.now Status.store Status.events Status.listeners Status.writer
            always        Host.name Host.tenants Host.updateDomains HostWork.type HostWork.status ExcludedTarget.name ExcludedTarget.reason
            always        Postponement.by Postponement.from Postponement.until
            always        GuestEvents.now GuestEvents.machine GuestEvents.group GuestEvents.events GuestEvent.id GuestEvent.status
            always        GuestHistoryEntry.at GuestHistoryEntry.kind GuestHistoryEntry.by AuditEntry.at AuditEntry.by AuditEntry.request AuditEntry.outcome
            always        SearchResult.kind SearchResult.name
            always        RolloutRequest.name RolloutRequest.type TokenRequest.name
            always        Subscription.name Subscription.tenant Subscription.createdAt DeadLetter.id DeadLetter.kind DeadLetter.at SubscriptionRequest.name
            time          Subscription.createdAt Subscription.nextDigest DeadLetter.at
            event-id      DeadLetter.event HostWork.event
            time          HistoryEntry.at HistoryEntry.notBefore Event.acceptedAt Event.notBefore Event.approvedAt Event.startedAt Event.seenAt Event.readyAt
            time          Group.enabledAt Group.lastPoll Machine.since Machine.lastPoll Explanation.notBefore StartBlocker.until
            time          Rollout.selfServiceUntil Rollout.at Rollout.until Rollout.plannedEnd Rollout.expectedEnd Rollout.createdAt Rollout.endedAt
            time          PlannedUnit.shownAt PlannedUnit.startsAt PlannedUnit.endsAt PlannedUnit.recoveredAt PlannedUnit.firstPlannedAt PlannedUnit.evacuatesAt
            time          PlanStep.recoveredAt TimeSpan.from TimeSpan.until
            time          Plan.endsAt PlanStep.scheduledAt PlanStep.startsAt PlanStep.endsAt Notice.at Notice.startedAt Clock.now HostWork.notBefore
            time          Token.createdAt Token.expiresAt Status.now Postponement.from Postponement.until
            time          AuditEntry.at CommitLoss.at AuditVerification.firstAt AuditVerification.lastAt
            time          GuestEvents.now GuestEvent.notBefore GuestHistoryEntry.at GuestHistoryEntry.notBefore
            duration      HistoryEntry.promised HistoryEntry.given Event.notice ActionRequest.notice Policy.notice Policy.shownAhead RolloutRequest.notice
            duration      RolloutRequest.recovery Plan.duration Notice.promised Notice.given NoticeSummary.largestShortfall NoticeBucket.from NoticeBucket.to
            duration      ClockRequest.by TokenRequest.expiresIn PostponeRequest.by Status.uptime GuestEvent.notice GuestEvent.postponableBy
            event-id      HistoryEntry.event Event.id Machine.event Explanation.event Notice.event NoticeSummary.largestShortfallEvent GuestEvent.id
            history-kind  HistoryEntry.kind Notice.startTrigger Notice.outcome Event.outcome
            cause         HistoryEntry.cause Event.cause Notice.cause
            source        Event.source GuestEvent.source
            event-type    HistoryEntry.type Event.type Notice.type Explanation.type Policy.type ClosedTimes.type GuestEvent.type HostWork.type
            rollout-type  Rollout.type RolloutRequest.type
            phase         Event.status Explanation.status GuestEvent.status Machine.eventStatus
            host-work     HostWork.status
            actor-kind    Actor.kind Postponement.by
            problem       Error.problem AuditEntry.problem
            audit-outcome AuditEntry.outcome
            clock-kind    Status.clock Clock.clock
            role          Token.role TokenRequest.role
            digest        Subscription.digest SubscriptionRequest.digest
            body-format   Subscription.format SubscriptionRequest.format
            rollout-state Rollout.status
            result-kind   SearchResult.kind
            unit-state    PlannedUnit.state
            late          Rollout.late RolloutRequest.late
            machine-state Machine.state
            polling       Machine.polling
            group-kind    Group.kind GroupRequest.kind
            verdict       Notice.verdict
            or-null       Status.writer
            """;

    static final String TIME = "time";
    static final String DURATION = "duration";
    static final String EVENT_ID = "event-id";

    private static final String OR_NULL = "or-null";

    private static final String ALWAYS = "always";

    private static final Map<String, List<String>> WORDS = Map.ofEntries(
            Map.entry("history-kind", historyKinds()),
            Map.entry("cause", EnumNames.all(Cause.class)),
            Map.entry("source", EnumNames.all(EventSource.class)),
            Map.entry("event-type", EnumNames.all(EventType.class)),
            Map.entry("rollout-type", List.of("freeze", "reboot", "redeploy")),
            Map.entry("phase", EnumNames.all(Phase.class)),
            Map.entry("actor-kind", EnumNames.all(Actor.Kind.class)),
            Map.entry("problem", problems()),
            Map.entry("clock-kind", List.of("system", "manual")),
            Map.entry("result-kind", List.of("machine", "group", "host", "event", "rollout")),
            Map.entry("role", EnumNames.all(Role.class)),
            Map.entry("digest", EnumNames.all(DigestSchedule.Frequency.class)),
            Map.entry("body-format", EnumNames.all(WebhookFormat.class)),
            Map.entry("rollout-state", EnumNames.all(Rollout.Status.class)),
            Map.entry("unit-state", PlannedUnitBody.STATES),
            Map.entry("late", EnumNames.all(RolloutSpec.Late.class)),
            Map.entry("machine-state", EnumNames.all(MachineCondition.State.class)),
            Map.entry("polling", List.of("never", "polling", "silent")),
            Map.entry("group-kind", EnumNames.all(GroupKind.class)),
            Map.entry("verdict", List.of("kept", "waived", "shortfall", "not-promised", "cancelled", "open")),
            Map.entry("audit-outcome", List.of("done", "refused")),
            Map.entry("action", Action.words()),
            Map.entry("host-work", List.of("planned", "waiting", "scheduled", "started")),
            Map.entry("event-state", List.of("waiting", "scheduled", "started")),
            Map.entry("order", List.of("newest", "oldest")),
            Map.entry("listing", List.of("json", "jsonl", "csv")),
            Map.entry("fleet-format", List.of("yaml", "jsonl")));

    private static final Set<String> REQUIRED = new HashSet<>();
    private static final Map<String, String> SHAPES = read();

    private SchemaFormats() {}

    /** Whether the property is required. */
    static boolean always(String property) {
        return REQUIRED.contains(property);
    }

    /** The schema of a string property. */
    static Map<String, Object> of(String property) {
        return named(SHAPES.get(property));
    }

    /** @param shape null for any string */
    static Map<String, Object> named(String shape) {
        Map<String, Object> schema = new LinkedHashMap<>();
        schema.put("type", "string");
        if (shape == null) {
            return schema;
        }
        switch (shape) {
            case TIME -> {
                schema.put("format", "date-time");
                schema.put("examples", List.of("2030-01-01T00:00:00Z"));
            }
            case DURATION -> {
                schema.put("pattern", "^-?(?=\\d)(\\d+w)?(\\d+d)?(\\d+h)?(\\d+m)?(\\d+s)?(\\d+ms)?$|^0$");
                schema.put("examples", List.of("15m", "9m59s"));
            }
            // Written as null, whereas other absent values are left out.
            case OR_NULL -> schema.put("type", List.of("string", "null"));
            case EVENT_ID -> {
                schema.put("format", "uuid");
                schema.put("examples", List.of("602D9444-D2CD-49C7-8624-8643E7171297"));
            }
            default -> schema.put("enum", WORDS.get(shape));
        }
        return schema;
    }

    /** All properties that have a row. */
    static Set<String> properties() {
        Set<String> all = new HashSet<>(SHAPES.keySet());
        all.addAll(REQUIRED);
        return all;
    }

    private static Map<String, String> read() {
        Map<String, String> shapes = new HashMap<>();
        TABLE.lines().forEach(line -> {
            String[] words = line.strip().split("\\s+");
            for (int i = 1; i < words.length; i++) {
                if (words[0].equals(ALWAYS)) {
                    REQUIRED.add(words[i]);
                } else {
                    shapes.put(words[i], words[0]);
                }
            }
        });
        return shapes;
    }

    private static List<String> historyKinds() {
        List<String> all = new ArrayList<>(EnumNames.all(Transition.class));
        all.addAll(EnumNames.all(HistoryEntry.What.class));
        return all;
    }

    private static List<String> problems() {
        List<String> all = new ArrayList<>(EnumNames.all(Problem.class));
        all.add("internal");
        return all;
    }
}
