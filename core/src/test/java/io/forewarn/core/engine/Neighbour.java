package io.forewarn.core.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.forewarn.core.fleet.Machine;
import io.forewarn.core.rules.GroupState;
import io.forewarn.core.rules.LogPage;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Another node: it follows a world from its disk, is now and then cut off or made to begin anew, and sees the same. */
final class Neighbour {
    private final World world;
    private final Random random;
    private final View view = new View();
    private final SimulatedFeed feed;
    private final Following following;
    private final Map<String, Long> incarnations = new TreeMap<>();
    int pages;
    int reloads;
    int compared;

    Neighbour(World world, long seed) {
        this.world = world;
        this.random = new Random(seed);
        this.feed = new SimulatedFeed(world.disk());
        Store store = new SimulatedStore(world.disk(), SimulatedStore.SMALL);
        this.following = new Following(feed, store, world.format(), view, world::nanos, new Following.Witness() {
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
            following.turn();
        } catch (StoreException impossible) {
            throw new AssertionError(impossible);
        }
        view.allGroups().forEach(group -> {
            Long before =
                    incarnations.put(group.id().toString(), group.document().incarnation());
            if (before != null && before > group.document().incarnation()) {
                throw new AssertionError("the incarnation of " + group.id() + " went back from " + before);
            }
        });
        // Looking at everything takes longer than living on.
        if (dice > 27 && following.head().orElseThrow().equals(world.engine.head())) {
            assertSame(world.engine.view(), view);
            compared++;
        }
    }

    static void assertSame(View expected, View view) {
        Map<String, String> right = print(expected);
        Map<String, String> seen = print(view);
        Set<String> keys = new TreeSet<>(right.keySet());
        keys.addAll(seen.keySet());
        keys.forEach(key -> assertEquals(right.get(key), seen.get(key), key));
    }

    Following following() {
        return following;
    }

    View view() {
        return view;
    }

    /** All that readers may look up. */
    static Map<String, String> print(View view) {
        Map<String, String> lines = new TreeMap<>();
        for (GroupView group : view.allGroups()) {
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
                            "event " + event.id(), view.groupOf(event.id()).toString()));
            lines.put(
                    "operations " + group.id().tenant(),
                    view.openUserOperations(group.id().tenant()) + "");
        }
        for (MachineView each : view.allMachines()) {
            Machine machine = each.machine();
            lines.put("machine " + machine.id(), machine + " in " + each.group().id() + " " + each.condition());
            machine.addresses()
                    .forEach(a -> lines.put("address " + a, view.atAddress(a).toString()));
        }
        view.tokens().forEach(token -> lines.put("token " + token.name(), token.toString()));
        view.policies().forEach(policy -> lines.put("policy " + policy.scope(), policy.toString()));
        view.rollouts().forEach(rollout -> {
            lines.put("rollout " + rollout.name(), rollout.toString());
            for (int chunk = 0; view.units(rollout.name(), chunk) != null; chunk++) {
                lines.put(
                        "pieces " + rollout.name() + chunk,
                        view.units(rollout.name(), chunk).toString());
            }
            view.open(rollout.name()).forEach(unit -> lines.put("open " + unit.key(), unit.toString()));
        });
        return lines;
    }
}
