package io.forewarn.core.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.forewarn.core.fleet.Machine;
import io.forewarn.core.history.LogPage;
import io.forewarn.core.rules.GroupState;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Another node: it follows a world from its disk, is now and then cut off or made to begin anew, and sees the same. */
final class FollowerNode {
    private final EngineHarness world;
    private final Random random;
    private final PublishedState published = new PublishedState();
    private final SimulatedCommitFeed feed;
    private final Replica replica;
    private final Map<String, Long> incarnations = new TreeMap<>();
    int pages;
    int reloads;
    int compared;

    FollowerNode(EngineHarness world, long seed) {
        this.world = world;
        this.random = new Random(seed);
        this.feed = new SimulatedCommitFeed(world.disk());
        Store store = new SimulatedStore(world.disk(), SimulatedStore.SMALL);
        this.replica = new Replica(feed, store, world.format(), published, world::nanos, new Replica.Witness() {
            @Override
            public void committed(LogPage page) {
                pages++;
            }

            @Override
            public void reloaded(long head) {
                reloads++;
            }
        });
    }

    /** Lives on for a moment, and if it knows as much as the writer, knows the same. */
    void check() {
        int dice = random.nextInt(30);
        if (dice == 0) {
            feed.cut(!random.nextBoolean());
        } else if (dice == 1) {
            world.disk().forget();
        }
        if (dice < 20) {
            return;
        }
        try {
            feed.renew();
            replica.turn();
        } catch (StoreException impossible) {
            throw new AssertionError(impossible);
        }
        published.allGroups().forEach(group -> {
            Long before =
                    incarnations.put(group.id().toString(), group.document().incarnation());
            if (before != null && before > group.document().incarnation()) {
                throw new AssertionError("the incarnation of " + group.id() + " went back from " + before);
            }
        });
        // Looking at everything takes longer than living on.
        if (dice > 27 && replica.head().orElseThrow().equals(world.engine.head())) {
            assertSame(world.engine.view(), published);
            compared++;
        }
    }

    static void assertSame(PublishedState expected, PublishedState published) {
        Map<String, String> right = print(expected);
        Map<String, String> seen = print(published);
        Set<String> keys = new TreeSet<>(right.keySet());
        keys.addAll(seen.keySet());
        keys.forEach(key -> assertEquals(right.get(key), seen.get(key), key));
    }

    Replica following() {
        return replica;
    }

    PublishedState view() {
        return published;
    }

    /** All that readers may look up. */
    static Map<String, String> print(PublishedState published) {
        Map<String, String> lines = new TreeMap<>();
        for (GroupView group : published.allGroups()) {
            if (group.group() != null) {
                lines.put("group " + group.id(), group.group() + " " + group.machines());
            }
            GroupState state = group.state();
            if (!state.equals(GroupState.fresh(group.id()))) {
                lines.put("state " + group.id(), state.toString());
                lines.put(
                        "document " + group.id(),
                        group.document().incarnation() + " "
                                + group.document().events().stream()
                                        .map(e -> e.id() + " " + e.phase() + " " + e.resources())
                                        .toList());
            }
            state.events()
                    .forEach(event -> lines.put(
                            "event " + event.id(), published.groupOf(event.id()).toString()));
            lines.put(
                    "operations " + group.id().tenant(),
                    published.openUserOperations(group.id().tenant()) + "");
        }
        for (MachineView each : published.allMachines()) {
            Machine machine = each.machine();
            lines.put("machine " + machine.id(), machine + " in " + each.group().id() + " " + each.condition());
            machine.addresses()
                    .forEach(a ->
                            lines.put("address " + a, published.atAddress(a).toString()));
        }
        published.tokens().forEach(token -> lines.put("token " + token.name(), token.toString()));
        published.policies().forEach(policy -> lines.put("policy " + policy.scope(), policy.toString()));
        published.rollouts().forEach(rollout -> {
            lines.put("rollout " + rollout.name(), rollout.toString());
            for (int chunk = 0; published.units(rollout.name(), chunk) != null; chunk++) {
                lines.put(
                        "pieces " + rollout.name() + chunk,
                        published.units(rollout.name(), chunk).toString());
            }
            published.open(rollout.name()).forEach(unit -> lines.put("open " + unit.key(), unit.toString()));
        });
        return lines;
    }
}
