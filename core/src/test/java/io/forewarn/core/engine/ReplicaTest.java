package io.forewarn.core.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.forewarn.core.ClockReading;
import io.forewarn.core.access.ApiToken;
import io.forewarn.core.access.Role;
import io.forewarn.core.event.Cause;
import io.forewarn.core.event.EventId;
import io.forewarn.core.fleet.FleetSpec;
import io.forewarn.core.fleet.FleetSpec.GroupSpec;
import io.forewarn.core.fleet.FleetSpec.MachineSpec;
import io.forewarn.core.fleet.GroupId;
import io.forewarn.core.fleet.GroupKind;
import io.forewarn.core.fleet.MachineId;
import io.forewarn.core.rules.Command;
import io.forewarn.core.rules.FleetRules;
import io.forewarn.core.rules.LastPolls;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What a node that follows sees. Random lives are followed in {@link PromisesTest}. */
// Takes more than 20 s: large changes are followed through all their slices.
class ReplicaTest {
    private final EngineHarness world = EngineHarness.enabled();
    private final FollowerNode follower = new FollowerNode(world, 1);

    private void follow() throws StoreException {
        follower.following().turn();
        FollowerNode.assertSame(world.engine.view(), follower.view());
    }

    private static FleetSpec big(String host, int groups) {
        List<GroupSpec> specs = new ArrayList<>();
        List<MachineSpec> machines = new ArrayList<>();
        for (int g = 0; g < groups; g++) {
            GroupId group = new GroupId("default", "g" + g);
            specs.add(new GroupSpec(0, group, GroupKind.AVAILABILITY_SET, null, null));
            MachineId id = new MachineId("default", "g" + g + "-0");
            machines.add(new MachineSpec(0, id, group, null, null, host, List.of(), "", false, Map.of()));
        }
        return new FleetSpec(specs, machines);
    }

    private void apply(FleetSpec spec, boolean prune) {
        world.engine.change(state -> FleetRules.apply(state, spec, prune), EngineHarness.PERSON, null);
    }

    @Test
    void anEventIsSeenByWhoWaitsForIt() throws Exception {
        follow();
        AtomicInteger woken = new AtomicInteger();
        follower.view().find(EngineHarness.WEB).await(woken::incrementAndGet);
        EventId id = world.schedule(Cause.RESTART, "m0");
        assertEquals(0, woken.get());
        follow();
        assertEquals(1, woken.get());
        assertEquals(
                id,
                follower.view()
                        .find(EngineHarness.WEB)
                        .document()
                        .events()
                        .get(0)
                        .id());
        world.approve(id);
        follow();
        assertTrue(follower.pages > 1);
    }

    @Test
    void tokensAndPoliciesComeAndGo() throws Exception {
        follow();
        ApiToken token = new ApiToken("eyes", "*", Role.VIEWER, "ab".repeat(32), Instant.EPOCH, null);
        world.ask(new Command.AddToken(token, EngineHarness.PERSON));
        follow();
        assertEquals(1, follower.view().tokens().size());
        world.ask(new Command.RemoveToken("eyes", null, EngineHarness.PERSON));
        follow();
        assertEquals(0, follower.view().tokens().size());
        world.ask(new Command.AddToken(token, EngineHarness.PERSON));
        follow();
        world.ask(new Command.RemoveToken("eyes", null, EngineHarness.PERSON));
        world.disk().forget();
        follow();
        assertEquals(2, follower.reloads);
        assertEquals(0, follower.view().tokens().size());
    }

    @Test
    void aGroupThatAsksAtAnotherNodeIsNotSilentHere() throws Exception {
        follow();
        Instant before = follower.view().lastPoll(EngineHarness.WEB);
        world.pass(Duration.ofDays(2));
        Instant asked = world.now();
        world.ask(new Command.SavePolls(
                List.of(new LastPolls(EngineHarness.WEB, Map.of("m0", new LastPolls.Poll(asked, "2020-07-01"))))));
        follow();
        assertTrue(before.isBefore(asked));
        assertEquals(
                asked.toEpochMilli(),
                follower.view().lastPoll(EngineHarness.WEB).toEpochMilli());
    }

    @Test
    void aLargeChangeOfTheFleetIsSeenWholeWheneverOneLooks() throws Exception {
        for (int forgetAt = 0; forgetAt < 40; forgetAt++) {
            apply(big("rack-" + forgetAt, 300 - forgetAt), true);
            int turns = 0;
            boolean whole = false;
            while (world.engine.turn(new ClockReading(world.now(), world.nanos())) > 0) {
                if (turns++ == forgetAt) {
                    world.disk().forget();
                }
                follow();
                String host = "rack-" + forgetAt;
                long moved = follower.view().allMachines().stream()
                        .filter(m -> m.machine().host().equals(host))
                        .count();
                assertTrue(moved == 0 || moved == 300 - forgetAt, moved + " at turn " + turns);
                whole |= moved > 0;
            }
            assertTrue(whole);
        }
    }

    @Test
    void aNewWriterFinishesWhatWasStagedAndTheFollowerSeesIt() throws Exception {
        for (int crashAt = 1; crashAt < 30; crashAt += 2) {
            apply(big("rack-" + crashAt, 300), false);
            for (int i = 0; i < crashAt; i++) {
                world.engine.turn(new ClockReading(world.now(), world.nanos()));
            }
            follow();
            world.open();
            follow();
        }
    }
}
