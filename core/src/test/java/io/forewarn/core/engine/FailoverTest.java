package io.forewarn.core.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.forewarn.core.Actor;
import io.forewarn.core.ClockReading;
import io.forewarn.core.Problem;
import io.forewarn.core.RefusedException;
import io.forewarn.core.access.ApiToken;
import io.forewarn.core.access.Role;
import io.forewarn.core.event.Cause;
import io.forewarn.core.event.Event;
import io.forewarn.core.event.EventId;
import io.forewarn.core.event.Phase;
import io.forewarn.core.fleet.FleetSpec;
import io.forewarn.core.fleet.FleetSpec.GroupSpec;
import io.forewarn.core.fleet.FleetSpec.MachineSpec;
import io.forewarn.core.fleet.GroupId;
import io.forewarn.core.fleet.GroupKind;
import io.forewarn.core.fleet.MachineId;
import io.forewarn.core.history.LogPage;
import io.forewarn.core.rules.Command;
import io.forewarn.core.rules.CommandResult;
import io.forewarn.core.rules.DriverReport;
import io.forewarn.core.rules.FleetRules;
import io.forewarn.core.rules.ServiceTerms;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;

/** Nodes that take the writing from each other, each over the view it kept by following. */
class FailoverTest {
    private static final GroupId WEB = EngineHarness.WEB;
    private static final Actor PERSON = EngineHarness.PERSON;

    private final SimulatedStore.Disk disk = new SimulatedStore.Disk();
    private final ObjectFormat format = new ObjectFormat();
    private final Random random = new Random(3);
    private final Set<String> started = new HashSet<>();
    private ClockReading now = new ClockReading(EngineHarness.START, 0);

    /** One node: it follows, or it writes. */
    private final class Node implements Replica.Witness, EngineListener, MaintenanceDriver {
        final SimulatedStore store = new SimulatedStore(disk, SimulatedStore.SMALL);
        final Replica replica = new Replica(
                new SimulatedCommitFeed(disk), store, format, new PublishedState(), () -> now.nanos(), this);
        final List<Command> reports = new ArrayList<>();
        Engine engine;

        void lead() throws StoreException {
            engine = Engine.over(
                    new Engine.Settings(ServiceTerms.AZURE, Duration.ZERO, Duration.ofDays(90)),
                    () -> new EventId(new UUID(random.nextLong(), random.nextLong())),
                    new EngineContext(store, format, this, () -> now, () -> now.nanos(), this, () -> {}),
                    replica,
                    Duration.ofSeconds(5));
            replica.rest();
        }

        void follow() throws StoreException {
            if (engine != null) {
                engine.fence("another node writes now");
                replica.wrote(engine.head());
                engine = null;
            }
            replica.turn();
        }

        CommandResult ask(Command command) {
            return settle(engine.submit(command));
        }

        CommandResult settle(CompletableFuture<CommandResult> asked) {
            while (engine.turn(now) > 0) {
                // Until all has settled.
            }
            try {
                return asked.getNow(null);
            } catch (CompletionException failed) {
                throw (RefusedException) failed.getCause();
            }
        }

        @Override
        public void committed(LogPage page) {}

        @Override
        public void committed(LogPage page, int commands, long nanos) {}

        @Override
        public void reloaded(long head) {}

        @Override
        public void troubled(StoreException problem) {}

        @Override
        public void recovered() {}

        @Override
        public void start(DriverTask task) {
            assertTrue(
                    started.add(task.event().id() + " " + task.event().attempt().attempt()), "started twice");
        }

        @Override
        public void status(DriverTask task) {
            reports.add(
                    new Command.Told(task.event().id(), task.event().attempt().attempt(), DriverReport.RUNNING, ""));
        }
    }

    private static FleetSpec fleet(String host, int groups) {
        List<GroupSpec> specs = new ArrayList<>();
        List<MachineSpec> machines = new ArrayList<>();
        specs.add(new GroupSpec(0, WEB, GroupKind.AVAILABILITY_SET, 2, 1));
        for (int i = 0; i < 4; i++) {
            machines.add(new MachineSpec(
                    0, EngineHarness.machine("m" + i), WEB, null, null, host, List.of(), "", false, Map.of()));
        }
        for (int g = 0; g < groups; g++) {
            GroupId group = new GroupId("default", "g" + g);
            specs.add(new GroupSpec(0, group, GroupKind.AVAILABILITY_SET, null, null));
            MachineId id = new MachineId("default", "g" + g + "-0");
            machines.add(new MachineSpec(0, id, group, null, null, host, List.of(), "", false, Map.of()));
        }
        return new FleetSpec(specs, machines);
    }

    private static CompletableFuture<CommandResult> apply(Node node, FleetSpec spec) {
        return node.engine.change(facts -> FleetRules.apply(facts, spec, false), PERSON, null);
    }

    @Test
    void theOldWriterIsFencedAndFollows() throws Exception {
        Node old = new Node();
        Node young = new Node();
        old.lead();
        old.settle(apply(old, fleet("h", 0)));
        old.ask(new Command.Enable(WEB, PERSON));
        Command.Schedule restart =
                new Command.Schedule(Cause.RESTART, List.of(EngineHarness.machine("m0")), null, null, PERSON);
        EventId id = old.ask(restart).events().get(0);
        young.follow();
        young.lead();
        assertEquals(id, young.engine.view().state(WEB).events().get(0).id());
        Command.Approve approve = new Command.Approve(null, List.of(id), PERSON);
        RefusedException late = assertThrows(RefusedException.class, () -> old.ask(approve));
        assertEquals(Problem.NOT_WRITER, late.problem());
        assertTrue(old.engine.isFenced());
        young.ask(approve);
        old.follow();
        assertEquals(
                Phase.STARTED,
                old.replica.view().state(WEB).event(id).orElseThrow().phase());
        FollowerNode.assertSame(young.engine.view(), old.replica.view());
        assertEquals(1, started.size());
    }

    @Test
    void noIncarnationIsUsedAgainAfterTheStoreWasSetBack() throws Exception {
        Node old = new Node();
        Node young = new Node();
        old.lead();
        old.settle(apply(old, fleet("h", 0)));
        old.ask(new Command.Enable(WEB, PERSON));
        SimulatedStore.Disk backup = disk.copy();
        for (String machine : List.of("m0", "m1")) {
            old.ask(new Command.Schedule(Cause.RESTART, List.of(EngineHarness.machine(machine)), null, null, PERSON));
        }
        young.follow();
        EventsDocument lost = young.replica.view().find(WEB).document();
        assertTrue(lost.incarnation() > 1);
        assertEquals(2, lost.events().size());

        disk.restore(backup);
        young.replica.turn();
        assertEquals(0, young.replica.view().find(WEB).document().events().size());
        young.lead();
        young.ask(new Command.Schedule(Cause.FREEZE, List.of(EngineHarness.machine("m2")), null, null, PERSON));
        EventsDocument next = young.engine.view().find(WEB).document();
        assertEquals(1, next.events().size());
        assertTrue(next.incarnation() > lost.incarnation(), next.incarnation() + " after " + lost.incarnation());
    }

    @Test
    void requestsWaitingForAReplacedWriterAreAnswered() throws Exception {
        Node old = new Node();
        Node young = new Node();
        old.lead();
        old.settle(apply(old, fleet("h", 0)));
        old.store.fail(SimulatedStore.Fault.KEPT);
        CompletableFuture<CommandResult> asked = old.engine.submit(new Command.Enable(WEB, PERSON));
        old.engine.turn(now);
        assertFalse(asked.isDone());
        young.follow();
        young.lead();
        assertTrue(young.engine.view().state(WEB).isEnabled());
        old.follow();
        RefusedException told = (RefusedException)
                assertThrows(CompletionException.class, asked::join).getCause();
        assertEquals(Problem.OUTCOME_UNKNOWN, told.problem());
        FollowerNode.assertSame(young.engine.view(), old.replica.view());
    }

    @Test
    void commandsStillQueuedWhenAnotherNodeTakesOverWereNotExecuted() throws Exception {
        Node old = new Node();
        old.lead();
        old.settle(apply(old, fleet("h", 0)));
        CompletableFuture<CommandResult> queued = old.engine.submit(new Command.Enable(WEB, PERSON));
        old.engine.fence("this node does not write any more");
        CompletableFuture<CommandResult> late = old.engine.submit(new Command.Enable(WEB, PERSON));
        for (CompletableFuture<CommandResult> asked : List.of(queued, late)) {
            RefusedException told = (RefusedException)
                    assertThrows(CompletionException.class, asked::join).getCause();
            assertEquals(Problem.NOT_WRITER, told.problem());
            assertEquals(
                    "nothing was changed, try again in a moment: this node does not write any more", told.getMessage());
        }
        assertFalse(old.engine.view().state(WEB).isEnabled());
    }

    @Test
    void randomLivesWithRandomTakeOversAreSeenAlikeByAll() throws Exception {
        List<Node> nodes = List.of(new Node(), new Node(), new Node());
        Node writer = nodes.get(0);
        writer.lead();
        writer.settle(apply(writer, fleet("h0", 0)));
        writer.ask(new Command.Enable(WEB, PERSON));
        int tokens = 0;
        for (int i = 0; i < 400; i++) {
            try {
                switch (random.nextInt(9)) {
                    case 0 ->
                        writer.ask(new Command.Schedule(
                                Cause.RESTART,
                                List.of(EngineHarness.machine("m" + random.nextInt(4))),
                                null,
                                null,
                                PERSON));
                    case 1 -> {
                        for (Event event : writer.engine.view().state(WEB).events()) {
                            writer.ask(new Command.Approve(null, List.of(event.id()), PERSON));
                        }
                    }
                    case 2 -> {
                        for (Event event : writer.engine.view().state(WEB).events()) {
                            if (event.phase() == Phase.STARTED) {
                                writer.ask(new Command.Told(
                                        event.id(), event.attempt().attempt(), DriverReport.DONE, ""));
                            }
                        }
                    }
                    case 3 ->
                        writer.ask(new Command.AddToken(
                                new ApiToken("t" + tokens++, "*", Role.VIEWER, "ab".repeat(32), Instant.EPOCH, null),
                                PERSON));
                    case 4 -> writer.ask(new Command.RemoveToken("t" + random.nextInt(tokens + 1), null, PERSON));
                    case 5 -> {
                        // Large enough to be staged, and left half-way.
                        apply(writer, fleet("h" + i, 150));
                        for (int turns = random.nextInt(12); turns > 0; turns--) {
                            writer.engine.turn(now);
                        }
                    }
                    case 6 -> now = now.plus(Duration.ofSeconds(random.nextInt(2000)));
                    case 7 -> {
                        Node next = nodes.get(random.nextInt(3));
                        if (next != writer) {
                            next.follow();
                            next.lead();
                            assertTrue(writer.store != next.store);
                            writer = next;
                            List.copyOf(next.reports).forEach(writer.engine::submit);
                            next.reports.clear();
                            for (Node node : nodes) {
                                if (node != writer && node.engine != null && random.nextBoolean()) {
                                    node.follow();
                                }
                            }
                        }
                    }
                    default -> disk.forget();
                }
            } catch (RefusedException refused) {
                // As anybody may be; what was not refused must be seen by all.
            }
            for (Node node : nodes) {
                if (node != writer && random.nextInt(3) == 0) {
                    node.follow();
                    if (node.replica.head().orElseThrow().equals(writer.engine.head())) {
                        FollowerNode.assertSame(writer.engine.view(), node.replica.view());
                    }
                }
            }
        }
        writer.settle(CompletableFuture.completedFuture(null));
        for (Node node : nodes) {
            if (node != writer) {
                node.follow();
                FollowerNode.assertSame(writer.engine.view(), node.replica.view());
            }
        }
        assertTrue(disk.head().epoch() > 10);
    }

    private static CommandResult under(Node node, int key) {
        ApiToken token = new ApiToken("t" + key, "*", Role.VIEWER, "ab".repeat(32), Instant.EPOCH, null);
        return node.settle(
                node.engine.submit(new Command.AddToken(token, PERSON), new Engine.Once("key " + key, "add t" + key)));
    }

    @Test
    void followersKnowTheDaysIdempotencyRecordsBeforeTheyTakeOver() throws Exception {
        Node old = new Node();
        Node young = new Node();
        old.lead();
        for (int i = 0; i < 150; i++) {
            under(old, i);
        }
        young.follow();
        assertFalse(young.replica.isWhole(), "it has not read the answers yet");
        while (young.replica.turn() > 0) {
            // Also what was answered before it was there, some at a time.
        }
        under(old, 150);
        young.follow();
        assertTrue(young.replica.isWhole());
        assertFalse(young.replica.recall().slice(), "something is left to be read");
        young.lead();
        for (int i = 0; i <= 150; i++) {
            under(young, i); // Else refused: there is such a token.
        }
    }

    @Test
    void aNodeThatFollowsForgetsAnswersAfterADay() throws Exception {
        Node old = new Node();
        Node young = new Node();
        young.follow();
        old.lead();
        under(old, 0);
        young.follow();
        now = now.plus(IdempotencyCache.KEPT).plus(Duration.ofSeconds(1));
        under(old, 1);
        young.follow();
        IdempotencyCache known = young.replica.recall().answers();
        assertTrue(known.find(new Engine.Once("key 1", "add t1")).isPresent());
        assertTrue(known.find(new Engine.Once("key 0", "add t0")).isEmpty());
    }

    @Test
    void aNodeThatFollowsForgetsNoAnswerBecauseServiceTimeWasSet() throws Exception {
        Node old = new Node();
        Node young = new Node();
        young.follow();
        old.lead();
        under(old, 0);
        young.follow();
        now = now.plus(IdempotencyCache.KEPT.multipliedBy(2));
        under(old, 1);
        young.follow();
        now = new ClockReading(now.wall().plus(Duration.ofDays(400)), now.nanos());
        under(old, 2);
        young.follow();
        IdempotencyCache known = young.replica.recall().answers();
        assertTrue(known.find(new Engine.Once("key 0", "add t0")).isEmpty());
        assertTrue(known.find(new Engine.Once("key 1", "add t1")).isPresent());
        young.lead();
        under(young, 1); // Else refused: there is such a token.
    }

    @Test
    void idempotencyKeysHoldAcrossWriters() throws Exception {
        List<Node> nodes = List.of(new Node(), new Node(), new Node());
        Node writer = nodes.get(0);
        writer.lead();
        for (int i = 0; i < 600; i++) {
            under(writer, i);
            under(writer, random.nextInt(i + 1));
            if (random.nextInt(40) == 0) {
                disk.forget();
            }
            for (Node node : nodes) {
                if (node != writer && random.nextInt(10) == 0) {
                    node.follow();
                }
            }
            if (random.nextInt(25) == 0) {
                Node next = nodes.get(random.nextInt(3));
                if (next != writer) {
                    next.follow();
                    next.lead();
                    writer = next;
                }
            }
        }
        assertTrue(disk.head().epoch() > 10);
    }
}
