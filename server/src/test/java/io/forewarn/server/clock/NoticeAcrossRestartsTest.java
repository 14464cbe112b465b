package io.forewarn.server.clock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.forewarn.core.Actor;
import io.forewarn.core.Uptime;
import io.forewarn.core.access.ApiToken;
import io.forewarn.core.access.Role;
import io.forewarn.core.engine.DriverTask;
import io.forewarn.core.engine.Engine;
import io.forewarn.core.engine.EngineContext;
import io.forewarn.core.engine.MaintenanceDriver;
import io.forewarn.core.engine.SimulatedStore;
import io.forewarn.core.engine.StoreException;
import io.forewarn.core.engine.StoredTime;
import io.forewarn.core.event.Cause;
import io.forewarn.core.event.EventId;
import io.forewarn.core.fleet.FleetSpec;
import io.forewarn.core.fleet.FleetSpec.GroupSpec;
import io.forewarn.core.fleet.FleetSpec.MachineSpec;
import io.forewarn.core.fleet.GroupId;
import io.forewarn.core.fleet.GroupKind;
import io.forewarn.core.fleet.MachineId;
import io.forewarn.core.policy.Policy;
import io.forewarn.core.policy.PostponementLimit;
import io.forewarn.core.policy.Scope;
import io.forewarn.core.rules.Command;
import io.forewarn.core.rules.FleetRules;
import io.forewarn.core.rules.ServiceTerms;
import io.forewarn.records.JsonFormat;
import io.forewarn.server.metrics.CompositeListener;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/**
 * However often the service and its machine are restarted and the wall is set, an event that starts by time could be read for as long as
 * was promised. The real clock, engine and records on a simulated machine.
 */
class NoticeAcrossRestartsTest {
    private static final Actor PERSON = Actor.person("test", "127.0.0.1");
    private static final GroupId WEB = new GroupId("default", "web");
    private static final MachineId MACHINE = new MachineId("default", "m0");
    private static final Duration NOTICE = Duration.ofMinutes(15);

    /** A notice begins when it is decided, and less than a second may pass until it is durable. */
    private static final Duration TOLERATED = Duration.ofSeconds(1);

    /** A machine on which one process of the service runs at a time. */
    private static final class Machine implements MaintenanceDriver {
        private final SimulatedStore.Disk disk = new SimulatedStore.Disk();
        private long nanos;
        private Instant wall = Instant.parse("2026-03-01T12:00:00Z");
        private Uptime uptime = new Uptime("boot-0", Duration.ofHours(1));
        private int boots;
        private SteadyTime clock;
        private Engine engine;
        private Duration readable = Duration.ZERO;
        private boolean started;

        Machine() throws StoreException {
            start();
            FleetSpec fleet = new FleetSpec(
                    List.of(new GroupSpec(0, WEB, GroupKind.AVAILABILITY_SET, 1, 1)),
                    List.of(new MachineSpec(0, MACHINE, WEB, null, null, "host", List.of(), "", false, Map.of())));
            engine.change(state -> FleetRules.apply(state, fleet, false), PERSON, null);
            engine.submit(new Command.Enable(WEB, Actor.machine("default/m0", "127.0.0.1")));
            turn();
        }

        void start() throws StoreException {
            SimulatedStore store = new SimulatedStore(disk, SimulatedStore.SMALL);
            JsonFormat format = new JsonFormat();
            clock = new SteadyTime(() -> nanos, () -> wall, () -> uptime, StoredTime.read(store, format));
            engine = Engine.open(
                    new Engine.Settings(ServiceTerms.AZURE, Duration.ofMinutes(1), Duration.ofDays(90)),
                    () -> new EventId(UUID.randomUUID()),
                    new EngineContext(store, format, this, clock, () -> nanos, CompositeListener.of(), () -> {}));
            turn();
        }

        void schedule(Duration notice) {
            engine.submit(new Command.Schedule(Cause.RESTART, List.of(MACHINE), notice, null, PERSON));
            turn();
            assertEquals(1, engine.view().state(WEB).events().size());
            readable = Duration.ZERO;
        }

        /** Something is logged at the present service time. */
        void page() {
            ApiToken token = new ApiToken(
                    "t" + nanos, "*", Role.VIEWER, "ab".repeat(32), clock.now().wall(), null);
            engine.submit(new Command.AddToken(token, PERSON));
            turn();
        }

        void allowPostponements() {
            PostponementLimit limit = new PostponementLimit(50, Duration.ofDays(1));
            engine.submit(new Command.SetPolicy(
                    new Policy(
                            new Scope("default", null, null),
                            null,
                            null,
                            null,
                            null,
                            null,
                            null,
                            limit,
                            null,
                            null,
                            null,
                            null,
                            Set.of()),
                    PERSON));
            turn();
        }

        /** NotBefore moves later; what could not be read is owed all the same. */
        void postpone(Duration by) {
            EventId event = engine.view().state(WEB).events().get(0).id();
            engine.submit(new Command.Postpone(null, event, null, by, PERSON));
            turn();
        }

        void turn() {
            for (int did = 1; did > 0; ) {
                did = engine.turn(clock.now());
            }
        }

        void off(Duration time) {
            nanos += time.toNanos();
            wall = wall.plus(time);
            uptime = new Uptime(uptime.boot(), uptime.up().plus(time));
        }

        void run(Duration time) {
            for (Duration rest = time; !rest.isNegative() && !rest.isZero() && !started; ) {
                Duration step = rest.compareTo(Duration.ofSeconds(5)) > 0 ? Duration.ofSeconds(5) : rest;
                off(step);
                readable = readable.plus(step);
                turn();
                rest = rest.minus(step);
            }
        }

        void stall(Duration time) {
            off(time);
            engine.stalled(time, clock.now());
            turn();
        }

        /** The process is killed, and another one started after some time. */
        void restart(Duration away) throws StoreException {
            off(away);
            start();
        }

        void reboot(Duration away) throws StoreException {
            boots++;
            uptime = new Uptime("boot-" + boots, Duration.ZERO);
            restart(away);
        }

        @Override
        public void start(DriverTask task) {
            started = true;
        }

        @Override
        public void status(DriverTask task) {}
    }

    private static void startsOnTime(Machine machine, Duration notice) {
        Duration lost = Duration.ofMinutes(2);
        for (int second = 0; second < 10 * 3600 && !machine.started; second += 5) {
            machine.run(Duration.ofSeconds(5));
        }
        assertTrue(machine.started);
        assertTrue(machine.readable.plus(TOLERATED).compareTo(notice) >= 0, "it could be read for " + machine.readable);
        assertTrue(
                machine.readable.compareTo(notice.plus(lost)) <= 0,
                "only what was read since the last mark does not count: " + machine.readable);
    }

    @Test
    void aStepOfNineMinutesAndTwoRestarts() throws Exception {
        Machine machine = new Machine();
        machine.schedule(NOTICE);
        machine.run(Duration.ofSeconds(10));
        machine.wall = machine.wall.plusSeconds(570);
        machine.restart(Duration.ofSeconds(2));
        machine.page();
        machine.run(Duration.ofSeconds(10));
        machine.restart(Duration.ofSeconds(2));
        startsOnTime(machine, NOTICE);
    }

    @Test
    void aMachineThatIsRestartedWithAWallAMonthAheadAndTwoRestarts() throws Exception {
        Machine machine = new Machine();
        machine.schedule(NOTICE);
        machine.run(Duration.ofSeconds(10));
        Instant expiry = machine.clock.now().wall().plus(Duration.ofDays(7));
        machine.wall = machine.wall.plus(Duration.ofDays(29));
        machine.reboot(Duration.ofMinutes(2));
        assertEquals(machine.wall, machine.clock.now().wall());
        assertTrue(
                machine.clock.trouble().orElseThrow().contains("jumped forward by 29d"),
                machine.clock.trouble()::toString);
        machine.page();
        for (int restarts = 0; restarts < 3; restarts++) {
            machine.run(Duration.ofSeconds(10));
            machine.restart(Duration.ofSeconds(2));
            assertTrue(machine.clock.undoubted().isBefore(expiry), "no token expires by the leap");
            assertTrue(machine.clock.trouble().orElseThrow().contains("jumped forward by 29d"));
        }
        startsOnTime(machine, NOTICE);
        machine.started = false;
        machine.run(Duration.ofMinutes(61));
        assertFalse(machine.clock.undoubted().isBefore(expiry), "until the wall has run in step for an hour");
        assertTrue(machine.clock.trouble().isEmpty());
    }

    @Test
    void aLeapOfTheRunningServiceAndTwoRestarts() throws Exception {
        Machine machine = new Machine();
        Duration notice = Duration.ofHours(3);
        machine.schedule(notice);
        machine.run(Duration.ofSeconds(10));
        machine.wall = machine.wall.plus(Duration.ofDays(400));
        machine.run(Duration.ofMinutes(61));
        assertEquals(machine.wall, machine.clock.now().wall(), "it has run in step for an hour");
        machine.page();
        machine.restart(Duration.ofSeconds(2));
        machine.run(Duration.ofSeconds(10));
        machine.restart(Duration.ofSeconds(2));
        startsOnTime(machine, notice);
    }

    @Test
    void aPostponementAfterTimeThatCouldNotBeRead() throws Exception {
        Machine machine = new Machine();
        machine.allowPostponements();
        machine.schedule(NOTICE);
        machine.page();
        machine.run(Duration.ofSeconds(70));
        machine.restart(Duration.ofMinutes(12));
        machine.postpone(Duration.ofSeconds(30));
        startsOnTime(machine, NOTICE);
    }

    @Test
    void aPostponementAfterAStall() throws Exception {
        Machine machine = new Machine();
        machine.allowPostponements();
        machine.schedule(NOTICE);
        machine.run(Duration.ofSeconds(10));
        machine.stall(Duration.ofMinutes(12));
        machine.postpone(Duration.ofSeconds(30));
        startsOnTime(machine, NOTICE);
    }

    @Test
    void aTimeThatWasRepairedBackwardsStaysRepaired() throws Exception {
        Machine machine = new Machine();
        machine.wall = machine.wall.minus(Duration.ofHours(5));
        machine.page();
        machine.clock.repair(machine.clock.off(null));
        machine.turn();
        machine.restart(Duration.ofSeconds(2));
        assertEquals(machine.wall, machine.clock.now().wall());
    }

    @Test
    void anyRestartsStepsStallsAndReboots() throws Exception {
        int started = 0;
        for (int seed = 1; seed <= 150; seed++) {
            started += played(seed) ? 1 : 0;
        }
        assertTrue(started > 100, "most start some time: " + started);
    }

    private static boolean played(int seed) throws StoreException {
        Random random = new Random(seed);
        Machine machine = new Machine();
        Duration notice = random.nextInt(4) == 0 ? Duration.ofHours(3) : NOTICE;
        machine.allowPostponements();
        machine.run(seconds(random, 300));
        machine.schedule(notice);
        // The commit that announced it is not the last one: what that announces counts as unread after a crash.
        machine.page();
        for (int step = 0; step < 400 && !machine.started; step++) {
            switch (random.nextInt(13)) {
                case 0 -> machine.restart(seconds(random, 600));
                case 1 -> machine.reboot(seconds(random, 600));
                case 2 -> machine.page();
                case 3 -> machine.stall(seconds(random, 60).plusSeconds(6));
                case 4 -> machine.wall = machine.wall.plus(seconds(random, 600));
                case 5 -> machine.wall = machine.wall.minus(seconds(random, 600));
                case 6 -> {
                    if (random.nextInt(4) == 0) {
                        machine.wall = machine.wall.plus(Duration.ofDays(random.nextInt(40)));
                        machine.reboot(seconds(random, 600));
                    }
                }
                case 7 -> {
                    if (random.nextInt(4) == 0) {
                        machine.wall = machine.wall.plus(Duration.ofDays(400));
                        machine.run(Duration.ofMinutes(random.nextInt(90)));
                    }
                }
                case 8 -> {
                    if (random.nextInt(3) == 0) {
                        machine.postpone(seconds(random, 300));
                    }
                }
                default -> machine.run(seconds(random, 240));
            }
            if (machine.started) {
                assertTrue(
                        machine.readable.plus(TOLERATED).compareTo(notice) >= 0,
                        "seed " + seed + ": " + machine.readable + " of " + notice);
            }
        }
        return machine.started;
    }

    private static Duration seconds(Random random, int most) {
        return Duration.ofSeconds(1 + random.nextInt(most));
    }
}
