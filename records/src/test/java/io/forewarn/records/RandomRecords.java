package io.forewarn.records;

import io.forewarn.core.Actor;
import io.forewarn.core.LostCommits;
import io.forewarn.core.Problem;
import io.forewarn.core.StoredRecord;
import io.forewarn.core.Uptime;
import io.forewarn.core.access.ApiToken;
import io.forewarn.core.access.Role;
import io.forewarn.core.audit.AuditAnchor;
import io.forewarn.core.audit.AuditEntry;
import io.forewarn.core.audit.AuditHead;
import io.forewarn.core.audit.AuditPage;
import io.forewarn.core.engine.DowntimeSpan;
import io.forewarn.core.engine.TimeMark;
import io.forewarn.core.event.Approval;
import io.forewarn.core.event.Cause;
import io.forewarn.core.event.Event;
import io.forewarn.core.event.EventId;
import io.forewarn.core.event.EventType;
import io.forewarn.core.event.NoticePeriod;
import io.forewarn.core.event.Phase;
import io.forewarn.core.event.Postponement;
import io.forewarn.core.event.RolloutUnitId;
import io.forewarn.core.event.StartAttempt;
import io.forewarn.core.event.Work;
import io.forewarn.core.fleet.AddressRange;
import io.forewarn.core.fleet.Group;
import io.forewarn.core.fleet.GroupId;
import io.forewarn.core.fleet.GroupKind;
import io.forewarn.core.fleet.Machine;
import io.forewarn.core.fleet.MachineId;
import io.forewarn.core.fleet.NamePattern;
import io.forewarn.core.fleet.Quota;
import io.forewarn.core.fleet.Tenant;
import io.forewarn.core.history.HistoryEntry;
import io.forewarn.core.history.IdempotencyRecord;
import io.forewarn.core.history.LogPage;
import io.forewarn.core.notification.Channel;
import io.forewarn.core.notification.DeadLetter;
import io.forewarn.core.notification.DeliveryCursor;
import io.forewarn.core.notification.DeliveryOptions;
import io.forewarn.core.notification.DigestSchedule;
import io.forewarn.core.notification.LogPosition;
import io.forewarn.core.notification.NotificationType;
import io.forewarn.core.notification.Subscription;
import io.forewarn.core.notification.SubscriptionId;
import io.forewarn.core.notification.WebhookFormat;
import io.forewarn.core.policy.ApprovalQuorum;
import io.forewarn.core.policy.Blackout;
import io.forewarn.core.policy.HoldingValue;
import io.forewarn.core.policy.MaintenanceWindow;
import io.forewarn.core.policy.Policy;
import io.forewarn.core.policy.PostponementLimit;
import io.forewarn.core.policy.Scope;
import io.forewarn.core.rollout.ActiveUnit;
import io.forewarn.core.rollout.ConcurrencyLimit;
import io.forewarn.core.rollout.Rollout;
import io.forewarn.core.rollout.RolloutSpec;
import io.forewarn.core.rollout.RolloutTarget;
import io.forewarn.core.rollout.RolloutUnit;
import io.forewarn.core.rollout.RolloutUnitChunk;
import io.forewarn.core.rollout.Turn;
import io.forewarn.core.rollout.UnitPostponement;
import io.forewarn.core.rollout.UnitRun;
import io.forewarn.core.rules.FleetChunk;
import io.forewarn.core.rules.GroupState;
import io.forewarn.core.rules.LastPolls;
import io.forewarn.core.rules.MachineCondition;
import io.forewarn.core.rules.ManualClockRecord;
import io.forewarn.core.rules.StoredPolicy;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;

/** Records of every kind with whatever may stand in them: the same seed gives the same records. */
final class RandomRecords {
    private final Random random;

    RandomRecords(long seed) {
        random = new Random(seed);
    }

    private AuditEntry deed() {
        return new AuditEntry(
                actor(),
                text(),
                maybe(() -> one(Problem.values())),
                text(),
                maybe(() -> new LostCommits(number(), number())));
    }

    StoredRecord next() {
        return switch (random.nextInt(18)) {
            case 0 -> fleetChunk();
            case 1 ->
                new GroupState(
                        groupId(),
                        number(),
                        maybe(this::instant),
                        list(this::event),
                        maybe(this::down),
                        maybe(this::down),
                        maybe(this::down));
            case 2 -> condition();
            case 3 -> new LastPolls(groupId(), map(() -> new LastPolls.Poll(instant(), text())));
            case 4 -> new LogPage(number(), instant(), list(this::entry), list(this::done));
            case 5 ->
                new ApiToken(
                        name(),
                        name(),
                        one(Role.values()),
                        text(),
                        instant(),
                        maybe(this::instant),
                        maybe(this::name),
                        maybe(this::name));
            case 6 -> new StoredPolicy(policy());
            case 7 -> rollout();
            case 8 ->
                new RolloutUnitChunk(
                        name(),
                        random.nextInt(),
                        list(() -> new RolloutUnit(
                                text(),
                                one(RolloutUnit.State.values()),
                                text(),
                                maybe(this::turn),
                                maybe(() -> new UnitRun(maybe(this::instant), instant(), instant())),
                                maybe(this::turn))));
            case 9 ->
                new ActiveUnit(
                        tie(),
                        random.nextBoolean(),
                        list(() -> new ActiveUnit.Part(groupId(), eventId())),
                        maybe(this::instant));
            case 10 -> new AuditPage(number(), number(), instant(), text(), list(this::deed));
            case 11 ->
                random.nextBoolean()
                        ? new AuditAnchor(new AuditHead(number(), text()), instant(), instant())
                        : new AuditAnchor(new AuditHead(number(), text()), null, null);
            case 12 ->
                new Subscription(
                        recipientId(),
                        Set.copyOf(list(this::groupId)),
                        Set.copyOf(list(() -> one(NotificationType.values()))),
                        text(),
                        list(this::text),
                        text(),
                        instant(),
                        number(),
                        new DeliveryOptions(
                                one(DigestSchedule.Frequency.values()),
                                maybe(this::zone),
                                one(WebhookFormat.values())));
            case 13 -> new DeliveryCursor(recipientId(), place(), number(), random.nextInt());
            case 14 ->
                new DeadLetter(
                        recipientId(),
                        place(),
                        place(),
                        text(),
                        text(),
                        instant(),
                        random.nextInt(),
                        text(),
                        random.nextBoolean());
            case 15 ->
                new Tenant(
                        name(),
                        list(() -> new AddressRange("10." + random.nextInt(256) + ".0.0", 16)),
                        list(() -> new NamePattern(text())),
                        Map.of(one(Quota.values()), random.nextLong()));
            case 16 ->
                new TimeMark(
                        instant(),
                        instant(),
                        random.nextBoolean() ? new Uptime(name(), Duration.ofSeconds(number())) : Uptime.UNKNOWN,
                        random.nextInt(3),
                        Duration.ofSeconds(random.nextInt(2)),
                        random.nextBoolean()
                                ? List.of(new DowntimeSpan(random.nextInt(9), Duration.ofMillis(number())))
                                : List.of());
            default -> new ManualClockRecord(instant());
        };
    }

    private SubscriptionId recipientId() {
        return new SubscriptionId(one(Channel.values()), name(), name());
    }

    private LogPosition place() {
        return new LogPosition(random.nextInt(Integer.MAX_VALUE), random.nextInt(99999));
    }

    private FleetChunk fleetChunk() {
        GroupId id = groupId();
        Group group = new Group(id, one(GroupKind.values()), random.nextInt(30), random.nextInt(5));
        return new FleetChunk(group, random.nextInt(99999), random.nextInt(99999), list(() -> machine(id)));
    }

    private Machine machine(GroupId group) {
        return new Machine(
                new MachineId(group.tenant(), name()),
                group,
                random.nextInt(30),
                random.nextInt(5),
                text(),
                list(this::text),
                text(),
                random.nextBoolean(),
                map(this::text),
                random.nextInt(3));
    }

    private Event event() {
        return new Event(
                eventId(),
                new Work(
                        one(Cause.values()),
                        list(this::name),
                        random.nextInt(30),
                        duration(),
                        text(),
                        maybe(this::duration),
                        instant(),
                        maybe(this::tie),
                        random.nextBoolean()),
                one(Phase.values()),
                random.nextBoolean(),
                maybe(() -> new NoticePeriod(instant(), instant(), number())),
                maybe(() -> new Approval(actor(), instant())),
                maybe(() -> new StartAttempt(instant(), random.nextInt(), number())),
                map(this::instant),
                map(() -> one(Cause.values())),
                map(this::instant),
                list(() -> new Postponement(one(Actor.Kind.values()), instant(), instant(), instant())));
    }

    private RolloutUnitId tie() {
        return new RolloutUnitId(name(), random.nextInt());
    }

    private Rollout rollout() {
        RolloutSpec spec = new RolloutSpec(
                name(),
                one(Cause.values()),
                new RolloutTarget(
                        one(RolloutTarget.Kind.values()),
                        list(this::text),
                        list(this::text),
                        list(this::text),
                        list(this::text)),
                maybe(this::duration),
                maybe(this::duration),
                new ConcurrencyLimit(one(ConcurrencyLimit.Kind.values()), random.nextInt(100)),
                list(this::window),
                random.nextBoolean(),
                random.nextBoolean(),
                maybe(this::instant),
                maybe(this::text),
                maybe(this::duration),
                maybe(this::instant),
                maybe(this::instant),
                one(RolloutSpec.Late.values()),
                zone());
        return new Rollout(
                spec,
                one(Rollout.Status.values()),
                instant(),
                maybe(this::instant),
                random.nextInt(),
                random.nextInt(),
                random.nextInt(1, 9),
                random.nextInt(),
                random.nextInt(),
                random.nextInt(1, 9),
                text(),
                random.nextBoolean(),
                maybe(this::instant),
                maybe(this::instant));
    }

    private Turn turn() {
        return new Turn(
                instant(),
                instant(),
                instant(),
                list(this::instant),
                text(),
                maybe(this::groupId),
                maybe(this::duration),
                map(this::instant),
                list(() -> new UnitPostponement(name(), one(Actor.Kind.values()), duration())));
    }

    private Policy policy() {
        boolean tenant = random.nextBoolean();
        return new Policy(
                new Scope(name(), tenant ? null : name(), tenant ? null : one(EventType.values())),
                maybe(this::duration),
                maybe(random::nextBoolean),
                maybe(random::nextBoolean),
                maybe(() -> new ApprovalQuorum(one(ApprovalQuorum.Kind.values()), 1 + random.nextInt(9))),
                maybe(() -> list(this::window)),
                maybe(() -> list(this::blackout)),
                maybe(this::allowance),
                maybe(this::allowance),
                maybe(random::nextBoolean),
                tenant ? maybe(() -> 1 + random.nextInt(1000)) : null,
                maybe(this::duration),
                random.nextBoolean() ? Set.of() : Set.of(one(HoldingValue.values())));
    }

    private MaintenanceWindow window() {
        return new MaintenanceWindow(
                Set.of(one(DayOfWeek.values())),
                LocalTime.ofSecondOfDay(random.nextInt(86_400)),
                Duration.ofSeconds(1 + random.nextInt(7 * 86_400)),
                zone());
    }

    private Blackout blackout() {
        LocalDate first = LocalDate.ofEpochDay(random.nextInt(40_000));
        return random.nextBoolean()
                ? new Blackout(first, first.plusDays(random.nextInt(30)), zone())
                : new Blackout(
                        first.atTime(random.nextInt(24), random.nextInt(60)),
                        first.plusDays(1 + random.nextInt(30)).atTime(random.nextInt(24), random.nextInt(60)),
                        zone());
    }

    private ZoneId zone() {
        return ZoneId.of(
                List.of("UTC", "Europe/Berlin", "Pacific/Apia", "+05:30").get(random.nextInt(4)));
    }

    private PostponementLimit allowance() {
        return random.nextBoolean()
                ? PostponementLimit.NONE
                : new PostponementLimit(1 + random.nextInt(100), Duration.ofSeconds(1 + random.nextInt(90 * 86_400)));
    }

    private HistoryEntry entry() {
        return new HistoryEntry(
                instant(),
                text(),
                maybe(this::groupId),
                maybe(this::eventId),
                maybe(() -> one(Cause.values())),
                list(this::name),
                actor(),
                maybe(this::instant),
                maybe(this::duration),
                maybe(this::duration),
                text(),
                maybe(this::name),
                maybe(() -> new SubscriptionId(one(Channel.values()), name(), name())),
                text());
    }

    private IdempotencyRecord done() {
        return new IdempotencyRecord(
                text(),
                text(),
                new IdempotencyRecord.Outcome(list(this::eventId), random.nextInt()),
                maybe(this::instant));
    }

    private MachineCondition.Move move() {
        return new MachineCondition.Move(text(), random.nextInt(), instant(), maybe(this::instant), text());
    }

    /** One that is down because work failed has been so since it entered that state. */
    private MachineCondition condition() {
        MachineCondition.State state = one(MachineCondition.State.values());
        Instant since = maybe(this::instant);
        return new MachineCondition(
                machineId(),
                state,
                random.nextInt(),
                since,
                text(),
                maybe(this::move),
                maybe(() -> new MachineCondition.RolloutMark(name(), instant())),
                maybe(() -> new MachineCondition.RolloutMark(name(), instant())),
                maybe(this::instant),
                state == MachineCondition.State.FAILED ? since : maybe(this::instant));
    }

    private GroupState.Down down() {
        return new GroupState.Down(random.nextInt(30), instant(), map(this::instant));
    }

    private Actor actor() {
        return new Actor(one(Actor.Kind.values()), text(), text());
    }

    private EventId eventId() {
        return new EventId(new UUID(random.nextLong(), random.nextLong()));
    }

    private GroupId groupId() {
        return new GroupId(name(), name());
    }

    private MachineId machineId() {
        return new MachineId(name(), name());
    }

    private String name() {
        return random.ints(1 + random.nextInt(8), 'a', 'z' + 1)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }

    /** Any characters: controls, quotes, half surrogate pairs, whole ones; often blank. */
    private String text() {
        StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(6); i > 0; i--) {
            switch (random.nextInt(5)) {
                case 0 -> text.append((char) random.nextInt(0x10000));
                case 1 -> text.appendCodePoint(0x10000 + random.nextInt(0x10000));
                case 2 -> text.append((char) random.nextInt(0x28));
                default -> text.append(name());
            }
        }
        return text.toString();
    }

    private Instant instant() {
        return switch (random.nextInt(10)) {
            case 0 -> Instant.MAX;
            case 1 -> Instant.MIN;
            case 2 -> Instant.EPOCH;
            case 3 -> Instant.ofEpochSecond(random.nextInt());
            default -> Instant.ofEpochSecond(random.nextInt(), random.nextInt(1_000_000_000));
        };
    }

    private Duration duration() {
        return random.nextInt(4) == 0
                ? Duration.ofSeconds(random.nextLong(), random.nextInt(1_000_000_000))
                : Duration.ofSeconds(random.nextInt(100_000));
    }

    private long number() {
        return random.nextBoolean() ? random.nextLong() : random.nextInt(1000);
    }

    private <T> T one(T[] values) {
        return values[random.nextInt(values.length)];
    }

    private <T> T maybe(Supplier<T> value) {
        return random.nextBoolean() ? value.get() : null;
    }

    private <T> List<T> list(Supplier<T> value) {
        List<T> values = new ArrayList<>();
        for (int i = random.nextInt(4); i > 0; i--) {
            values.add(value.get());
        }
        return values;
    }

    private <T> Map<String, T> map(Supplier<T> value) {
        Map<String, T> values = new HashMap<>();
        for (int i = random.nextInt(4); i > 0; i--) {
            values.put(text(), value.get());
        }
        return values;
    }
}
