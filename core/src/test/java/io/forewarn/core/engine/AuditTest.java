package io.forewarn.core.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.forewarn.core.Actor;
import io.forewarn.core.Problem;
import io.forewarn.core.RefusedException;
import io.forewarn.core.access.ApiToken;
import io.forewarn.core.access.Role;
import io.forewarn.core.audit.AuditEntry;
import io.forewarn.core.audit.AuditPage;
import io.forewarn.core.event.Cause;
import io.forewarn.core.event.EventId;
import io.forewarn.core.fleet.FleetSpec;
import io.forewarn.core.fleet.FleetSpec.GroupSpec;
import io.forewarn.core.fleet.GroupId;
import io.forewarn.core.fleet.GroupKind;
import io.forewarn.core.rules.Command;
import io.forewarn.core.rules.CommandResult;
import io.forewarn.core.rules.FleetRules;
import io.forewarn.core.rules.ServiceTerms;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Who asked for what is written with what came of it, or neither is. */
class AuditTest {
    private static final int SEEDS = 100;
    private static final int STEPS = 60;

    private static Command.AddToken token(String name) {
        return new Command.AddToken(
                new ApiToken(name, "*", Role.VIEWER, "ab".repeat(32), EngineHarness.START, null), EngineHarness.PERSON);
    }

    private static List<String> asked(EngineHarness world) {
        return world.audit().stream()
                .flatMap(p -> p.deeds().stream())
                .map(d -> d.asked() + (d.problem() == null ? "" : " refused"))
                .toList();
    }

    private static void isIntact(EngineHarness world) {
        AuditVerifier.Finding found = world.verify();
        assertNull(found.fault(), () -> found.place() + ": " + found.fault());
        assertEquals(world.audit().size(), found.pages());
    }

    @Test
    void aDeedIsThereExactlyWhenItsEffectIsWhateverBreaks() {
        for (long seed = 1; seed <= SEEDS; seed++) {
            Random random = new Random(seed);
            EngineHarness world = new EngineHarness(ServiceTerms.AZURE, seed, 0.1);
            Map<String, CompletableFuture<CommandResult>> answers = new LinkedHashMap<>();
            for (int i = 0; i < STEPS; i++) {
                String name = "t" + i;
                answers.put(name, world.engine.submit(token(name)));
                if (random.nextInt(3) > 0) {
                    world.turn();
                }
                if (random.nextInt(10) == 0) {
                    world.open();
                }
                if (random.nextInt(4) == 0) {
                    world.pass(Duration.ofSeconds(2));
                }
            }
            world.pass(Duration.ofMinutes(1));
            world.open();
            isIntact(world);
            List<String> deeds =
                    asked(world).stream().filter(a -> !a.endsWith("refused")).toList();
            Set<String> made = world.engine.view().tokens().stream()
                    .map(t -> "add token " + t.name() + ", viewer of all")
                    .collect(Collectors.toSet());
            assertEquals(made, new HashSet<>(deeds), "seed " + seed);
            assertEquals(made.size(), deeds.size(), "seed " + seed + ": a deed stands there twice");
            answers.forEach((name, answer) -> {
                if (answer.isDone() && !answer.isCompletedExceptionally()) {
                    assertTrue(made.contains("add token " + name + ", viewer of all"), name);
                }
            });
        }
    }

    @Test
    void machinesPollsAndApprovalsOfGoneEventsAreNotAudited() {
        EngineHarness world = EngineHarness.enabled();
        EventId id = world.schedule(Cause.RESTART, "m0");
        world.poll(EngineHarness.WEB, "m1");
        world.approve(id);
        Actor stranger = Actor.machine("default/m0", "127.0.0.1");
        for (int i = 0; i < 3; i++) {
            world.engine.submit(new Command.Approve(EngineHarness.WEB, List.of(new EventId(new UUID(1, i))), stranger));
        }
        world.turn();
        world.pass(Duration.ofDays(2));
        assertEquals(
                List.of(
                        "change fleet: 7 groups and machines in default/web",
                        "enable group default/web",
                        "restart default/m0",
                        "approve " + id),
                asked(world));
        isIntact(world);
    }

    @Test
    void manyRefusalsFitIntoCommitsOfTheSmallestStore() {
        EngineHarness world = EngineHarness.enabled();
        String endless = "\u0001".repeat(10_000);
        List<CompletableFuture<CommandResult>> answers = new ArrayList<>();
        for (int i = 0; i < 2000; i++) {
            Actor person = Actor.person("p" + i % 900, endless.substring(0, 40));
            answers.add(world.engine.submit(new Command.Denied(endless, Problem.FORBIDDEN, endless, person)));
            answers.add(world.engine.submit(token("t" + i)));
        }
        world.turn();
        assertEquals(4000, answers.stream().filter(CompletableFuture::isDone).count());
        assertEquals(
                2000,
                answers.stream()
                        .filter(CompletableFuture::isCompletedExceptionally)
                        .count());
        assertEquals(4002, asked(world).size());
        isIntact(world);
    }

    @Test
    void aLargeFleetIsOneDeedInTheCommitThatSwitchesIt() {
        EngineHarness world = EngineHarness.enabled();
        List<GroupSpec> groups = new ArrayList<>();
        for (int g = 0; g < 700; g++) {
            groups.add(new GroupSpec(0, new GroupId("default", "g" + g), GroupKind.AVAILABILITY_SET, null, null));
        }
        FleetSpec spec = new FleetSpec(groups, List.of());
        world.ask(world.engine.change(state -> FleetRules.apply(state, spec, false), EngineHarness.PERSON, null));
        List<AuditPage> pages = world.audit();
        AuditPage last = pages.get(pages.size() - 1);
        assertEquals(1, last.deeds().size());
        assertTrue(
                last.deeds().get(0).asked().startsWith("change fleet: 700 groups and machines in default/g"),
                last.toString());
        assertTrue(last.deeds().get(0).asked().endsWith(" and 692 more"));
        assertTrue(world.commits("FLEET_CHANGED").contains(last.commit()));
        isIntact(world);
        world.open();
        isIntact(world);
    }

    @Test
    void oneWhoIsRefusedAllTheTimeDoesNotFillTheLog() {
        EngineHarness world = EngineHarness.enabled();
        RefusedException no = new RefusedException(Problem.FORBIDDEN, "no");
        for (int i = 0; i < 1000; i++) {
            world.engine.denied("x", no, Actor.person("a", ""));
            world.turn();
        }
        world.engine.denied("y", no, Actor.person("b", ""));
        world.turn();
        List<AuditEntry> deeds =
                world.audit().stream().flatMap(p -> p.deeds().stream()).toList();
        assertEquals(
                AuditWriter.REFUSALS,
                deeds.stream().filter(d -> d.asked().equals("x")).count());
        assertEquals("y", deeds.get(deeds.size() - 1).asked(), "others have room of their own");
        world.pass(AuditWriter.BETWEEN_REFUSALS);
        world.engine.denied("z", no, Actor.person("a", ""));
        world.turn();
        List<AuditPage> pages = world.audit();
        assertEquals(
                "no (800 earlier refusals were not recorded)",
                pages.get(pages.size() - 1).deeds().get(0).reason());
    }

    @Test
    void oldPagesGoAndTheChainGoesOn() {
        EngineHarness world = EngineHarness.enabled();
        for (int i = 0; i < 200; i++) {
            world.ask(token("t" + i));
        }
        world.pass(Duration.ofDays(89));
        assertEquals(202, world.audit().size());
        world.pass(Duration.ofDays(2));
        for (int i = 0; i < 30; i++) {
            world.pass(Duration.ofHours(2));
            world.engine.turn(world.moment());
        }
        assertEquals(1, world.audit().size(), "the newest stays, so that it shows if all are gone");
        isIntact(world);
        world.open();
        world.ask(token("later"));
        assertEquals(203, world.audit().get(1).number());
        isIntact(world);
    }
}
