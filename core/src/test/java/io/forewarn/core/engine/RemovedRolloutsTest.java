package io.forewarn.core.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.forewarn.core.Problem;
import io.forewarn.core.RefusedException;
import io.forewarn.core.fleet.FleetSpec.MachineSpec;
import io.forewarn.core.history.HistoryEntry;
import io.forewarn.core.rollout.Rollout;
import io.forewarn.core.rollout.RolloutTarget;
import io.forewarn.core.rollout.RolloutUnitChunk;
import io.forewarn.core.rules.Command;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Rollouts that are over leave memory, store and names: when somebody says so, or with their history. */
final class RemovedRolloutsTest extends RolloutFixture {
    private void remove(String name) {
        world.ask(new Command.RemoveRollout(name, EngineHarness.PERSON));
    }

    private void finished(String name) {
        world.poll(EngineHarness.WEB, "w0");
        start(spec(name, RolloutTarget.Kind.HOSTS, "*"));
        world.ask(new Command.AbortRollout(name, EngineHarness.PERSON));
    }

    private List<String> stored() {
        List<String> keys = new ArrayList<>();
        for (String prefix : List.of(Rollout.PREFIX, RolloutUnitChunk.PREFIX)) {
            try {
                new SimulatedStore(world.disk(), SimulatedStore.SMALL)
                        .scan(prefix, "", Integer.MAX_VALUE, (key, value) -> keys.add(key));
            } catch (StoreException impossible) {
                throw new IllegalStateException(impossible);
            }
        }
        return keys;
    }

    private List<String> told() {
        return world.log().stream()
                .filter(e -> "os".equals(e.rollout()))
                .map(HistoryEntry::what)
                .toList();
    }

    private void assertGone() {
        assertTrue(world.engine.view().rollouts().isEmpty());
        assertTrue(world.engine.view().allUnits().isEmpty());
        assertEquals(List.of(), stored());
    }

    @Test
    void oneThatIsOverIsForgottenAndItsNameIsFree() {
        webOnHosts(2);
        finished("os");
        assertFalse(stored().isEmpty());
        remove("os");
        assertGone();
        assertTrue(told().contains("ROLLOUT_REMOVED"));
        assertTrue(told().contains("ROLLOUT_STARTED"), "its history stays");
        finished("os");
        assertEquals(1, world.engine.view().rollouts().size());
    }

    @Test
    void oneThatIsNotOverIsRefused() {
        webOnHosts(2);
        world.poll(EngineHarness.WEB, "w0");
        start(spec("os", RolloutTarget.Kind.HOSTS, "*"));
        RefusedException running = assertThrows(RefusedException.class, () -> remove("os"));
        assertEquals(Problem.CONFLICT, running.problem());
        approve(EngineHarness.WEB);
        world.ask(new Command.AbortRollout("os", EngineHarness.PERSON));
        RefusedException started = assertThrows(RefusedException.class, () -> remove("os"));
        assertTrue(started.getMessage().contains("not over"), started.getMessage());
        done();
        remove("os");
        assertGone();
        assertEquals(
                Problem.NOT_FOUND,
                assertThrows(RefusedException.class, () -> remove("os")).problem());
    }

    @Test
    void afterACrashItIsStillGone() {
        webOnHosts(2);
        finished("os");
        remove("os");
        world.open();
        assertGone();
    }

    /** More chunks than fit into one commit of the smallest store. */
    @Test
    void oneOfManyUnitsIsForgottenWhole() {
        List<MachineSpec> machines = new ArrayList<>();
        for (int i = 0; i < 3 * RolloutUnitChunk.SIZE; i++) {
            machines.add(machine(EngineHarness.WEB, "w" + i, 0, "host-" + i));
        }
        apply(1, machines);
        finished("os");
        assertEquals(4, stored().size());
        remove("os");
        assertGone();
    }

    @Test
    void followersForgetItToo() throws Exception {
        FollowerNode follower = new FollowerNode(world, 1);
        webOnHosts(2);
        finished("os");
        follower.following().turn();
        assertEquals(1, follower.view().rollouts().size());
        remove("os");
        follower.following().turn();
        assertTrue(follower.view().rollouts().isEmpty());
        assertTrue(follower.view().allUnits().isEmpty());
        finished("os");
        follower.following().turn();
        remove("os");
        world.disk().forget();
        follower.following().turn();
        assertTrue(follower.view().rollouts().isEmpty(), "also when it must read everything anew");
        assertTrue(follower.view().allUnits().isEmpty());
    }

    @Test
    void leftAloneItGoesWithItsHistory() {
        webOnHosts(2);
        finished("os");
        days(85);
        assertEquals(1, world.engine.view().rollouts().size());
        days(10);
        assertGone();
        assertEquals(List.of("ROLLOUT_REMOVED"), told(), "what is left of it");
    }

    @Test
    void oneThatIsNotOverStaysHoweverOld() {
        webOnHosts(2);
        start(spec("os", RolloutTarget.Kind.HOSTS, "*"));
        world.ask(new Command.PauseRollout("os", EngineHarness.PERSON));
        days(120);
        assertEquals(Rollout.Status.PAUSED, rollout().status());
    }

    /** Something happens every day, and there is time to sweep. */
    private void days(int count) {
        for (int day = 0; day < count; day++) {
            world.ask(new Command.MoveClock(world.now(), EngineHarness.PERSON));
            for (int hour = 0; hour < 24; hour++) {
                world.pass(Duration.ofHours(1));
            }
        }
    }
}
