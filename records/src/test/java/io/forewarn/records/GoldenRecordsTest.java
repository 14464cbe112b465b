package io.forewarn.records;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import io.forewarn.core.Actor;
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
import io.forewarn.core.engine.StoreException;
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
import java.io.IOException;
import java.io.InputStream;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Stores of format 1 exist. The files in {@code format-1} are what was written then: they are never changed, only read. When
 * a format 2 comes, {@link #isWrittenAsTheFile} moves to files of its own and {@link #theFileIsStillRead} stays.
 */
class GoldenRecordsTest {
    private static final GroupId WEB = new GroupId("default", "web");
    private static final Instant NOON = Instant.parse("2016-09-19T12:00:00Z");
    private static final EventId ID = new EventId(UUID.fromString("f020ba2e-3bc0-4c40-a10b-86575a9eabd5"));

    private final JsonFormat format = new JsonFormat();

    static Stream<Arguments> records() {
        return Stream.of(
                Arguments.of("fleet", fleet()),
                Arguments.of("fleet-empty", new FleetChunk(new Group(WEB, GroupKind.SINGLE, 1, 1), 0, 1, List.of())),
                Arguments.of("state", state()),
                Arguments.of("state-fresh", GroupState.fresh(WEB)),
                Arguments.of(
                        "state-recovering",
                        new GroupState(
                                WEB,
                                2,
                                NOON,
                                List.of(),
                                new GroupState.Down(1, NOON.plusSeconds(300), Set.of("FrontEnd_IN_1")),
                                new GroupState.Down(0, NOON, Set.of()),
                                null)),
                Arguments.of(
                        "state-awaiting",
                        new GroupState(
                                WEB,
                                2,
                                NOON,
                                List.of(),
                                new GroupState.Down(
                                        1,
                                        NOON.plusSeconds(300),
                                        Map.of("FrontEnd_IN_0", NOON, "FrontEnd_IN_1", NOON.plusSeconds(300))),
                                new GroupState.Down(0, NOON, Set.of()),
                                null)),
                Arguments.of(
                        "state-rehearsed",
                        new GroupState(
                                WEB,
                                2,
                                NOON,
                                List.of(),
                                null,
                                null,
                                new GroupState.Down(2, NOON.plusSeconds(60), Set.of()))),
                Arguments.of(
                        "machine",
                        new MachineCondition(
                                new MachineId("default", "FrontEnd_IN_0"),
                                MachineCondition.State.FAILED,
                                3,
                                NOON,
                                "exit code 1: \"no such domain\"",
                                null,
                                null,
                                null,
                                null,
                                NOON)),
                Arguments.of(
                        "machine-redeployed",
                        new MachineCondition(
                                new MachineId("default", "FrontEnd_IN_0"),
                                MachineCondition.State.RUNNING,
                                1,
                                NOON,
                                "",
                                new MachineCondition.Move("", 0, NOON, NOON, ""),
                                null,
                                null,
                                null,
                                null)),
                Arguments.of(
                        "machine-moved",
                        new MachineCondition(
                                new MachineId("default", "FrontEnd_IN_0"),
                                MachineCondition.State.RUNNING,
                                1,
                                NOON.plusSeconds(180),
                                "",
                                new MachineCondition.Move("host-1", 2, NOON, NOON.plusSeconds(180), "os"),
                                null,
                                null,
                                null,
                                null)),
                Arguments.of(
                        "machine-worked-on",
                        new MachineCondition(
                                new MachineId("default", "FrontEnd_IN_0"),
                                MachineCondition.State.RUNNING,
                                1,
                                NOON.plusSeconds(180),
                                "",
                                null,
                                new MachineCondition.RolloutMark("os", NOON.plusSeconds(180)),
                                null,
                                null,
                                null)),
                Arguments.of(
                        "machine-arrived",
                        new MachineCondition(
                                new MachineId("default", "FrontEnd_IN_0"),
                                MachineCondition.State.RUNNING,
                                0,
                                null,
                                "",
                                null,
                                null,
                                null,
                                NOON,
                                null)),
                Arguments.of(
                        "machine-repaired",
                        new MachineCondition(
                                new MachineId("default", "FrontEnd_IN_0"),
                                MachineCondition.State.REBOOTING,
                                0,
                                NOON.plusSeconds(60),
                                "",
                                null,
                                null,
                                null,
                                null,
                                NOON)),
                Arguments.of("fleet-moved", moved()),
                Arguments.of(
                        "rollout",
                        new Rollout(
                                spec(),
                                Rollout.Status.HALTED,
                                NOON,
                                null,
                                7,
                                2,
                                0,
                                3,
                                1,
                                0,
                                "host-1 failed.",
                                false,
                                null,
                                null)),
                Arguments.of("rollout-bare", bareRollout()),
                Arguments.of("rollout-marking", Rollout.started(bareRollout().spec(), NOON, 3, null)),
                Arguments.of(
                        "pieces-skipped",
                        new RolloutUnitChunk(
                                "os",
                                0,
                                List.of(new RolloutUnit(
                                        "host-1", RolloutUnit.State.SKIPPED, "no machine is on it any more", null)))),
                Arguments.of(
                        "pieces-called-off",
                        new RolloutUnitChunk(
                                "os",
                                0,
                                List.of(RolloutUnit.pending(
                                                "host-1",
                                                Turn.planned(NOON, List.of(), "", null)
                                                        .moved(NOON.plusSeconds(300), "its windows", null))
                                        .withoutTurn()))),
                Arguments.of(
                        "pieces-run",
                        new RolloutUnitChunk(
                                "os",
                                0,
                                List.of(new RolloutUnit(
                                        "host-1",
                                        RolloutUnit.State.DONE,
                                        "",
                                        null,
                                        new UnitRun(NOON, NOON.plusSeconds(900), NOON.plusSeconds(990)),
                                        null)))),
                Arguments.of(
                        "pieces",
                        new RolloutUnitChunk(
                                "os",
                                1,
                                List.of(
                                        new RolloutUnit("host-1", RolloutUnit.State.DONE, "", null),
                                        new RolloutUnit("default/web#1", RolloutUnit.State.OPEN, "", null)))),
                Arguments.of(
                        "work",
                        new ActiveUnit(
                                new RolloutUnitId("os", 501),
                                true,
                                List.of(
                                        new ActiveUnit.Part(WEB, ID),
                                        new ActiveUnit.Part(
                                                new GroupId("default", "db"), new EventId(new UUID(0, 2)))))),
                Arguments.of("state-tied", tied()),
                Arguments.of("machine-fresh", MachineCondition.fresh(new MachineId("default", "FrontEnd_IN_0"))),
                Arguments.of(
                        "polls",
                        new LastPolls(
                                WEB,
                                Map.of(
                                        "FrontEnd_IN_0", new LastPolls.Poll(NOON.plusMillis(5), "2017-03-01"),
                                        "FrontEnd_IN_1", new LastPolls.Poll(NOON, "2020-07-01")))),
                Arguments.of("log", log()),
                Arguments.of("log-rollout", rolledOut()),
                Arguments.of("log-recipient", resent()),
                Arguments.of("log-empty", new LogPage(7, NOON, List.of(), List.of())),
                Arguments.of(
                        "token",
                        new ApiToken("ops", "default", Role.OWNER, "ab".repeat(32), NOON, NOON.plusSeconds(3600))),
                Arguments.of(
                        "tenant",
                        new Tenant(
                                "shop",
                                List.of(
                                        AddressRange.parse("10.1.0.0/16").orElseThrow(),
                                        AddressRange.parse("fd00::/8").orElseThrow()),
                                List.of(new NamePattern("rack-?"), new NamePattern("shop-*")),
                                Map.of(Quota.MACHINES, 20_000L, Quota.TOKENS, 7L))),
                Arguments.of(
                        "tenant-quotas",
                        new Tenant(
                                "shop",
                                List.of(),
                                List.of(),
                                Map.of(
                                        Quota.MACHINES, 1L,
                                        Quota.GROUPS, 2L,
                                        Quota.FLEET_BYTES, 3L,
                                        Quota.POLICIES, 4L,
                                        Quota.TOKENS, 5L,
                                        Quota.WEBHOOKS, 6L,
                                        Quota.MAIL_SUBSCRIPTIONS, 7L))),
                Arguments.of("token-endless", new ApiToken("ops", "default", Role.OWNER, "ab".repeat(32), NOON, null)),
                Arguments.of("token-viewer", new ApiToken("eyes", "*", Role.VIEWER, "ab".repeat(32), NOON, null)),
                Arguments.of("token-operator", new ApiToken("root", "*", Role.OPERATOR, "ab".repeat(32), NOON, null)),
                Arguments.of(
                        "token-calendar",
                        new ApiToken("work", "shop", Role.CALENDAR, "ab".repeat(32), NOON, null, "web", "os-nov")),
                Arguments.of("audit", audit()),
                Arguments.of("audit-anchor", new AuditAnchor(new AuditHead(41, "cd".repeat(32)), null, null)),
                Arguments.of(
                        "audit-anchor-swept",
                        new AuditAnchor(new AuditHead(41, "cd".repeat(32)), NOON, NOON.minusSeconds(7_776_000))),
                Arguments.of(
                        "time",
                        new TimeMark(
                                NOON,
                                NOON.minusSeconds(3600),
                                new Uptime("5b1ce3f5-6e3c-4d0e-9f0a-6a4e1f3c2b10", Duration.ofSeconds(86_400)),
                                0,
                                Duration.ZERO,
                                List.of())),
                Arguments.of(
                        "time-unreadable",
                        new TimeMark(
                                NOON,
                                NOON.minusSeconds(3600),
                                new Uptime("5b1ce3f5-6e3c-4d0e-9f0a-6a4e1f3c2b10", Duration.ofSeconds(86_400)),
                                7_000_000_000L,
                                Duration.ofDays(29),
                                List.of(
                                        new DowntimeSpan(6_999_999_990L, Duration.ofSeconds(570)),
                                        new DowntimeSpan(6_999_999_995L, Duration.ofMillis(-1500))))),
                Arguments.of("time-bare", new TimeMark(NOON, NOON, Uptime.UNKNOWN, 0, Duration.ZERO, List.of())),
                Arguments.of(
                        "recipient",
                        new Subscription(
                                new SubscriptionId(Channel.WEBHOOK, "shop", "ops"),
                                Set.of(new GroupId("shop", "pay"), new GroupId("shop", "web")),
                                Set.of(NotificationType.SCHEDULED, NotificationType.STARTED),
                                "https://hooks.example.org/x",
                                List.of(),
                                "whsec_c2VjcmV0",
                                NOON,
                                42)),
                Arguments.of(
                        "recipient-mail",
                        new Subscription(
                                new SubscriptionId(Channel.MAIL, SubscriptionId.EVERY_TENANT, "ops"),
                                Set.of(),
                                Set.of(NotificationType.FAILED),
                                "",
                                List.of("ops@example.org"),
                                "",
                                NOON,
                                43)),
                Arguments.of(
                        "recipient-digest",
                        new Subscription(
                                new SubscriptionId(Channel.MAIL, "shop", "night"),
                                Set.of(),
                                Set.of(NotificationType.FAILED),
                                "",
                                List.of("ops@example.org"),
                                "",
                                NOON,
                                43,
                                new DeliveryOptions(
                                        DigestSchedule.Frequency.DAILY,
                                        ZoneId.of("Europe/Berlin"),
                                        WebhookFormat.CLOUDEVENTS))),
                Arguments.of(
                        "recipient-slack",
                        new Subscription(
                                new SubscriptionId(Channel.WEBHOOK, "shop", "chat"),
                                Set.of(),
                                Set.of(NotificationType.FAILED),
                                "https://hooks.example.org/x",
                                List.of(),
                                "whsec_c2VjcmV0",
                                NOON,
                                43,
                                new DeliveryOptions(DigestSchedule.Frequency.NOW, null, WebhookFormat.SLACK))),
                Arguments.of(
                        "letter-digest",
                        new DeadLetter(
                                new SubscriptionId(Channel.MAIL, "shop", "night"),
                                new LogPosition(43, 0),
                                new LogPosition(57, 2),
                                DeadLetter.DIGEST,
                                "",
                                NOON,
                                20,
                                "it answered 451",
                                false)),
                Arguments.of(
                        "cursor",
                        new DeliveryCursor(
                                new SubscriptionId(Channel.WEBHOOK, "shop", "ops"), new LogPosition(44, 1), 17, 2)),
                Arguments.of(
                        "letter",
                        new DeadLetter(
                                new SubscriptionId(Channel.WEBHOOK, "shop", "ops"),
                                new LogPosition(43, 0),
                                "SCHEDULED",
                                ID.toString(),
                                NOON,
                                20,
                                "it answered 500",
                                true)),
                Arguments.of("policy", policy()),
                Arguments.of("policy-bare", new StoredPolicy(bare())),
                Arguments.of("policy-owners", new StoredPolicy(owners())),
                Arguments.of("policy-blackout-to-the-minute", new StoredPolicy(blackedOut())),
                Arguments.of("rollout-filtered", filteredRollout()),
                Arguments.of("rollout-night", nightRollout()),
                Arguments.of("pieces-turns", turns()),
                Arguments.of(
                        "pieces-postponed",
                        new RolloutUnitChunk(
                                "os",
                                0,
                                List.of(RolloutUnit.pending(
                                        "host-1",
                                        Turn.planned(NOON, List.of(), "", null)
                                                .leaving(Map.of("shop/web#1", NOON))
                                                .postponed(new UnitPostponement(
                                                        "shop", Actor.Kind.PERSON, Duration.ofHours(2))))))),
                Arguments.of(
                        "work-started",
                        new ActiveUnit(new RolloutUnitId("os", 3), false, List.of(new ActiveUnit.Part(WEB, ID)), NOON)),
                Arguments.of("policy-shown-ahead", new StoredPolicy(bare().shownAhead(Duration.ofHours(1)))),
                Arguments.of("log-planned", planned()),
                Arguments.of("log-reason", cancelled()),
                Arguments.of("state-postponed", postponed()),
                Arguments.of("clock", new ManualClockRecord(NOON.plusNanos(1))));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("records")
    void theFileIsStillRead(String name, StoredRecord record) throws IOException, StoreException {
        assertEquals(record, format.read(record.key(), file(name).getBytes(UTF_8)));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("records")
    void isWrittenAsTheFile(String name, StoredRecord record) throws IOException {
        assertEquals(file(name), new String(format.write(record), UTF_8));
    }

    private static String file(String name) throws IOException {
        String path = "format-1/" + name + ".json";
        try (InputStream in = GoldenRecordsTest.class.getResourceAsStream(path)) {
            assertNotNull(in, path + " is missing");
            return new String(in.readAllBytes(), UTF_8).stripTrailing();
        }
    }

    private static FleetChunk fleet() {
        Machine full = new Machine(
                new MachineId("default", "FrontEnd_IN_0"),
                WEB,
                0,
                1,
                "host-1",
                List.of("127.0.0.1", "::1"),
                "127.0.0.1:8171",
                true,
                Map.of("env", "demo", "tür", "ja"));
        Machine bare =
                new Machine(new MachineId("default", "FrontEnd_IN_1"), WEB, 4, 0, "", List.of(), "", false, Map.of());
        return new FleetChunk(new Group(WEB, GroupKind.AVAILABILITY_SET, 5, 2), 3, 4, List.of(full, bare));
    }

    private static GroupState state() {
        Work restart = new Work(
                Cause.RESTART,
                List.of("FrontEnd_IN_0"),
                0,
                Duration.ofMinutes(15),
                "Restart requested by the owner.",
                Duration.ofSeconds(90),
                NOON);
        Event started = new Event(
                ID,
                restart,
                Phase.STARTED,
                true,
                new NoticePeriod(NOON, NOON.plusSeconds(900), 12),
                new Approval(Actor.machine("default/FrontEnd_IN_1", "127.0.0.2"), NOON.plusSeconds(60)),
                new StartAttempt(NOON.plusSeconds(60), 2, 5),
                Map.of("FrontEnd_IN_0", NOON.plusMillis(1500)),
                Map.of("FrontEnd_IN_0", Cause.FAILURE),
                Map.of(),
                List.of());
        Work freeze = new Work(Cause.FREEZE, List.of("FrontEnd_IN_1"), 4, Duration.ZERO, "", null, NOON);
        Event waiting = Event.accepted(new EventId(new UUID(0, 1)), freeze);
        return new GroupState(WEB, 42, NOON, List.of(started, waiting), new GroupState.Down(3, NOON, Set.of()));
    }

    private static RolloutSpec spec() {
        return new RolloutSpec(
                "os",
                Cause.HOST_REBOOT,
                new RolloutTarget(RolloutTarget.Kind.HOSTS, List.of("host-1", "host-2")),
                Duration.ofMinutes(20),
                Duration.ofMinutes(5),
                new ConcurrencyLimit(ConcurrencyLimit.Kind.PERCENT, 10),
                List.of(),
                true,
                true,
                NOON.plusSeconds(60),
                "New kernel.",
                null,
                null,
                null,
                RolloutSpec.Late.REFUSE,
                ZoneId.of("UTC"));
    }

    private static Rollout bareRollout() {
        RolloutTarget target = new RolloutTarget(RolloutTarget.Kind.TAG, List.of("env=demo"));
        RolloutSpec spec = RolloutSpec.of("os", Cause.HOST_FREEZE, target);
        return new Rollout(
                spec, Rollout.Status.DONE, NOON, NOON.plusSeconds(5), 1, 0, 0, 1, 0, 0, "", false, null, null);
    }

    private static GroupState tied() {
        Work work = new Work(
                Cause.HOST_REBOOT,
                List.of("FrontEnd_IN_0"),
                0,
                Duration.ofMinutes(15),
                "",
                null,
                NOON,
                new RolloutUnitId("os", 501),
                true);
        return new GroupState(
                WEB,
                2,
                NOON,
                List.of(Event.accepted(ID, work)),
                new GroupState.Down(1, NOON, Set.of("FrontEnd_IN_1", "FrontEnd_IN_4")));
    }

    private static FleetChunk moved() {
        Machine machine = new Machine(
                new MachineId("default", "FrontEnd_IN_1"), WEB, 0, 0, "host-2", List.of(), "", false, Map.of(), 3);
        return new FleetChunk(new Group(WEB, GroupKind.SINGLE, 1, 1), 0, 1, List.of(machine));
    }

    private static GroupState postponed() {
        Work restart = new Work(
                Cause.RESTART, List.of("FrontEnd_IN_0", "FrontEnd_IN_5"), 0, Duration.ofMinutes(15), "", null, NOON);
        Event event = Event.accepted(ID, restart)
                .scheduled(new NoticePeriod(NOON, NOON.plusSeconds(900), 12))
                .postponed(new Postponement(Actor.Kind.MACHINE, NOON, NOON.plusSeconds(900), NOON.plusSeconds(1800)))
                .postponed(new Postponement(Actor.Kind.PERSON, NOON, NOON.plusSeconds(1800), NOON.plusSeconds(3600)))
                .voiced("FrontEnd_IN_5", NOON.plusSeconds(30));
        return new GroupState(WEB, 44, NOON, List.of(event), null);
    }

    private static StoredPolicy policy() {
        return new StoredPolicy(new Policy(
                new Scope("default", "web", EventType.REBOOT),
                Duration.ofMinutes(30),
                true,
                false,
                ApprovalQuorum.some(2),
                List.of(new MaintenanceWindow(
                        Set.of(DayOfWeek.SATURDAY, DayOfWeek.SUNDAY),
                        LocalTime.of(1, 0),
                        Duration.ofHours(4),
                        ZoneId.of("Europe/Berlin"))),
                List.of(new Blackout(LocalDate.of(2016, 12, 24), LocalDate.of(2016, 12, 27), ZoneId.of("UTC"))),
                new PostponementLimit(3, Duration.ofHours(2)),
                PostponementLimit.NONE,
                true,
                null));
    }

    private static Policy blackedOut() {
        return new Policy(
                new Scope("shop", null, null),
                null,
                null,
                null,
                null,
                null,
                List.of(new Blackout(
                        LocalDateTime.parse("2016-12-24T18:00"),
                        LocalDateTime.parse("2017-01-02T06:00"),
                        ZoneId.of("Europe/Berlin"))),
                null,
                null,
                null,
                null);
    }

    private static Rollout filteredRollout() {
        RolloutTarget target = new RolloutTarget(
                RolloutTarget.Kind.HOSTS, List.of("rack-*"), List.of("rack-7"), List.of("shop"), List.of("bank"));
        return Rollout.started(RolloutSpec.of("os", Cause.HOST_REBOOT, target), NOON, 3, null);
    }

    private static Rollout nightRollout() {
        RolloutTarget target = new RolloutTarget(RolloutTarget.Kind.HOSTS, List.of("*"));
        RolloutSpec spec = RolloutSpec.of("os", Cause.HOST_REBOOT, target)
                .between(
                        NOON.plusSeconds(36_000),
                        NOON.plusSeconds(64_800),
                        RolloutSpec.Late.NEXT_WINDOW,
                        ZoneId.of("Europe/Berlin"));
        return new Rollout(
                spec,
                Rollout.Status.RUNNING,
                NOON,
                null,
                30,
                4,
                2,
                1,
                0,
                0,
                "",
                true,
                NOON.plusSeconds(64_000),
                NOON.plusSeconds(40_000));
    }

    private static RolloutUnitChunk turns() {
        Turn first = Turn.planned(NOON, List.of(), "", null);
        Turn evacuated = Turn.planned(
                NOON.plusSeconds(3600),
                List.of(NOON, NOON.plusSeconds(1800)),
                "update domain 0 of group default/web and its recovery are planned before it",
                WEB);
        Turn moved = first.moved(NOON.plusSeconds(300), "another fault domain comes first", null);
        Turn held = moved.moved(NOON.plusSeconds(900), "event 1 of the same machine is planned before it", WEB)
                .dueAt(moved.due());
        return new RolloutUnitChunk(
                "os",
                0,
                List.of(
                        RolloutUnit.pending("host-1", first),
                        RolloutUnit.pending("host-2", evacuated),
                        RolloutUnit.pending("host-3", moved),
                        new RolloutUnit("host-4", RolloutUnit.State.OPEN, "", held),
                        new RolloutUnit("host-5", RolloutUnit.State.FAILED, "exit code 1", first),
                        RolloutUnit.pending("host-6", null)));
    }

    private static LogPage planned() {
        return new LogPage(
                15,
                NOON,
                List.of(
                        toTenant(HistoryEntry.What.ROLLOUT_PLANNED, "2 machines from 2016-09-19T22:00:00Z"),
                        toTenant(HistoryEntry.What.ROLLOUT_MOVED, "host-1 to 2016-09-19T23:00:00Z")),
                List.of());
    }

    private static LogPage cancelled() {
        HistoryEntry entry = toTenant(HistoryEntry.What.ROLLOUT_PLANNED, "");
        return new LogPage(16, NOON, List.of(entry.because("the host is \"retired\"")), List.of());
    }

    private static HistoryEntry toTenant(HistoryEntry.What what, String why) {
        return new HistoryEntry(
                NOON,
                what.name(),
                GroupId.all("shop"),
                null,
                Cause.HOST_REBOOT,
                List.of("web-1", "web-2"),
                Actor.SERVICE,
                NOON.plusSeconds(36_000),
                null,
                null,
                why,
                "os");
    }

    private static Policy owners() {
        return new Policy(
                new Scope("shop", null, null),
                null,
                null,
                null,
                null,
                List.of(),
                List.of(),
                null,
                null,
                true,
                null,
                null,
                EnumSet.allOf(HoldingValue.class));
    }

    private static Policy bare() {
        return new Policy(
                new Scope("default", null, null), null, null, null, null, List.of(), null, null, null, null, 20);
    }

    private static LogPage resent() {
        SubscriptionId ops = new SubscriptionId(Channel.WEBHOOK, "shop", "ops");
        HistoryEntry entry = new HistoryEntry(
                NOON,
                "DELIVERIES_RESENT",
                null,
                null,
                null,
                List.of(),
                Actor.SERVICE,
                null,
                null,
                null,
                "1 to webhook shop/ops",
                null,
                ops,
                "");
        return new LogPage(14, NOON, List.of(entry), List.of());
    }

    private static LogPage rolledOut() {
        HistoryEntry announced = new HistoryEntry(
                NOON,
                "SCHEDULED",
                WEB,
                ID,
                Cause.HOST_REBOOT,
                List.of("FrontEnd_IN_0"),
                Actor.SERVICE,
                NOON,
                Duration.ofMinutes(15),
                null,
                "",
                "os-1");
        return new LogPage(13, NOON, List.of(announced), List.of());
    }

    private static AuditPage audit() {
        return new AuditPage(
                42,
                12,
                NOON,
                "cd".repeat(32),
                List.of(
                        AuditEntry.done(Actor.person("ops", "127.0.0.1"), "restart default/FrontEnd_IN_0"),
                        new AuditEntry(
                                Actor.person("eyes", "127.0.0.1"),
                                "POST /v1/tokens",
                                Problem.FORBIDDEN,
                                "token 'eyes' is a viewer")));
    }

    private static LogPage log() {
        HistoryEntry start = new HistoryEntry(
                NOON,
                "STARTED_BY_TIME",
                WEB,
                ID,
                Cause.RESTART,
                List.of("FrontEnd_IN_0"),
                Actor.SERVICE,
                NOON,
                Duration.ofMinutes(15),
                Duration.ofMinutes(15).plusNanos(1),
                "nobody approved");
        HistoryEntry token = new HistoryEntry(
                NOON,
                "TOKEN_ADDED",
                null,
                null,
                null,
                List.of(),
                Actor.person("ops", "127.0.0.1"),
                null,
                null,
                null,
                "");
        IdempotencyRecord idempotencyRecord =
                new IdempotencyRecord("key-1", "POST /v1/tokens", new IdempotencyRecord.Outcome(List.of(ID), 1));
        return new LogPage(12, NOON, List.of(start, token), List.of(idempotencyRecord));
    }
}
