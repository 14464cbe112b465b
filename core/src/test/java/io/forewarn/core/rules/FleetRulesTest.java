package io.forewarn.core.rules;

import static io.forewarn.core.engine.EngineHarness.WEB;
import static io.forewarn.core.rules.ScheduleRulesTest.assertRefused;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.forewarn.core.Problem;
import io.forewarn.core.RefusedException;
import io.forewarn.core.engine.EngineHarness;
import io.forewarn.core.engine.PublishedState;
import io.forewarn.core.event.Cause;
import io.forewarn.core.event.EventId;
import io.forewarn.core.fleet.FleetChange;
import io.forewarn.core.fleet.FleetSpec;
import io.forewarn.core.fleet.FleetSpec.GroupSpec;
import io.forewarn.core.fleet.FleetSpec.MachineSpec;
import io.forewarn.core.fleet.GroupId;
import io.forewarn.core.fleet.GroupKind;
import io.forewarn.core.fleet.Machine;
import io.forewarn.core.fleet.MachineId;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class FleetRulesTest {
    private static final GroupId DB = new GroupId("default", "db");

    private final EngineHarness world = EngineHarness.enabled();
    private final PublishedState published = world.engine.view();

    private static GroupSpec group(GroupId id, GroupKind kind, Integer updateDomains) {
        return new GroupSpec(1, id, kind, updateDomains, null);
    }

    private static MachineSpec machine(int line, String name, GroupId group, Integer domain, String... addresses) {
        return new MachineSpec(
                line, EngineHarness.machine(name), group, domain, null, "", List.of(addresses), "", false, Map.of());
    }

    private void apply(FleetSpec spec, boolean prune) {
        world.ask(world.engine.change(state -> FleetRules.apply(state, spec, prune), EngineHarness.PERSON, null));
    }

    private void apply(List<GroupSpec> groups, MachineSpec... machines) {
        apply(new FleetSpec(groups, List.of(machines)), false);
    }

    private Machine at(String name) {
        return published.machine(EngineHarness.machine(name)).orElseThrow();
    }

    @Test
    void missingDomainsAreAssignedInTurnAndKeptAfterwards() {
        List<GroupSpec> groups = List.of(group(DB, GroupKind.AVAILABILITY_SET, 3));
        apply(
                groups,
                machine(2, "a", DB, null),
                machine(3, "b", DB, null),
                machine(4, "c", DB, null),
                machine(5, "d", DB, null));
        assertEquals(
                List.of(0, 1, 2, 0),
                List.of("a", "b", "c", "d").stream()
                        .map(n -> at(n).updateDomain())
                        .toList());
        apply(List.of(), machine(2, "c", DB, null), machine(3, "b", DB, null));
        assertEquals(
                List.of(1, 2),
                List.of("b", "c").stream().map(n -> at(n).updateDomain()).toList());
    }

    private long incarnation(GroupId group) {
        return published.state(group).incarnation();
    }

    @Test
    void aMachineThatMovesReadsAHigherIncarnationThanBefore() {
        List<GroupSpec> groups = List.of(group(DB, GroupKind.AVAILABILITY_SET, 3));
        apply(groups, machine(2, "m2", DB, null));
        assertEquals(1, incarnation(DB), "nothing was ever shown in either group");
        world.schedule(Cause.RESTART, "m0");
        assertEquals(2, incarnation(WEB));
        apply(List.of(), machine(2, "m1", DB, null));
        assertEquals(3, incarnation(DB));
        apply(List.of(), machine(2, "m2", WEB, null));
        assertEquals(4, incarnation(WEB));
        apply(List.of(), machine(2, "m2", DB, null));
        assertEquals(5, incarnation(DB));
        apply(List.of(), machine(2, "m2", DB, 2), machine(3, "new", DB, null));
        assertEquals(5, incarnation(DB), "nobody came from another group");
        world.open();
        assertEquals(5, world.engine.view().state(DB).incarnation());
    }

    @Test
    void theSameFileAgainChangesNothing() {
        FleetSpec spec = new FleetSpec(
                List.of(group(DB, GroupKind.SCALE_SET, null)), List.of(machine(2, "a", DB, null, "127.0.0.50")));
        apply(spec, false);
        assertTrue(FleetRules.apply(published, spec, false).isEmpty());
        assertTrue(FleetRules.apply(published, new FleetSpec(List.of(), List.of()), true)
                .isEmpty());
    }

    @Test
    void aMachineWithoutAGroupIsAlone() {
        apply(List.of(), machine(1, "lonely", null, null));
        assertEquals(
                GroupKind.SINGLE,
                published.group(new GroupId("default", "lonely")).orElseThrow().kind());
        FleetChange gone = FleetRules.remove(published, List.of(EngineHarness.machine("lonely")));
        assertEquals(null, gone.groups().get(0).group());
    }

    @Test
    void theNameOfAHostIsAName() {
        for (String host : List.of("a,b", "a\nb", "../a", "a/../b", " a", "-a", "a b", "h".repeat(254))) {
            String said = assertThrows(
                            RefusedException.class,
                            () -> FleetRules.apply(published, new FleetSpec(List.of(), List.of(on(host))), false))
                    .getMessage();
            assertTrue(said.contains("host name '"), said);
        }
        apply(List.of(), on("rack-1.host_2.example.org"));
    }

    private static MachineSpec on(String host) {
        return new MachineSpec(1, EngineHarness.machine("m"), null, null, null, host, List.of(), "", false, Map.of());
    }

    @Test
    void allProblemsAreReportedWithTheirLines() {
        FleetSpec spec = new FleetSpec(
                List.of(group(DB, GroupKind.AVAILABILITY_SET, 0), new GroupSpec(7, DB, null, null, null)),
                List.of(
                        machine(10, "bad name", DB, null),
                        machine(11, "a", new GroupId("default", "wep"), null),
                        machine(12, "b", WEB, 9),
                        machine(13, "c", WEB, null, "127.0.0.9"),
                        machine(14, "d", WEB, null, "127.0.0.9"),
                        machine(15, "d", WEB, null)));
        for (String words : List.of(
                "line 1: update-domains is 0",
                "line 7: group default/db is described twice",
                "line 10: machine name 'bad name'",
                "line 11: machine default/a names group default/wep, which does not exist; did you mean web?",
                "line 12: machine default/b has update-domain 9; its group has 0 to 1",
                "line 14: address 127.0.0.9 of machine default/d already belongs to default/c",
                "line 15: machine default/d is described twice")) {
            assertRefused(Problem.BAD_INPUT, words, () -> FleetRules.apply(published, spec, false));
        }
        assertTrue(published.machine(EngineHarness.machine("c")).isEmpty());
    }

    @Test
    void anAddressCanMoveFromOneMachineToAnotherInOneFileWhateverTheOrder() {
        apply(List.of(), machine(1, "m0", WEB, 0, "127.0.0.7"));
        assertRefused(
                Problem.BAD_INPUT,
                "already belongs to default/m0",
                () -> FleetRules.apply(
                        published, new FleetSpec(List.of(), List.of(machine(1, "m1", WEB, 1, "127.0.0.7"))), false));
        apply(List.of(), machine(1, "m1", WEB, 1, "127.0.0.7"), machine(2, "m0", WEB, 0));
        assertEquals(
                EngineHarness.machine("m1"), published.atAddress("127.0.0.7").orElseThrow());
    }

    @Test
    void onlyPruneRemovesAndOnlyWithinTheTenantsNamed() {
        world.group(new GroupId("other", "set"), GroupKind.SCALE_SET, 2, 2);
        FleetSpec spec = new FleetSpec(List.of(), List.of(machine(1, "m0", WEB, null), machine(2, "m1", WEB, null)));
        apply(spec, false);
        assertEquals(6, published.machines(WEB).size());
        apply(spec, true);
        assertEquals(2, published.machines(WEB).size());
        assertTrue(published.machine(EngineHarness.machine("m5")).isEmpty());
        assertEquals(2, published.machines(new GroupId("other", "set")).size());
    }

    @Test
    void aMachineWithAnOpenEventIsNeitherRemovedNorMoved() {
        EventId id = world.schedule(Cause.RESTART, "m0");
        assertRefused(
                Problem.CONFLICT,
                id.toString(),
                () -> FleetRules.remove(published, List.of(EngineHarness.machine("m0"))));
        assertRefused(Problem.CONFLICT, id.toString(), () -> apply(List.of(), machine(1, "m0", WEB, 1)));
        assertRefused(Problem.CONFLICT, id.toString(), () -> FleetRules.remove(published, WEB));
        apply(List.of(), machine(1, "m0", WEB, 0, "127.0.0.7"));
        assertEquals(List.of("127.0.0.7"), at("m0").addresses());
    }

    @Test
    void aMachineThatIsToBePreemptedStaysASpotMachine() {
        apply(List.of(), spot("m0", true));
        EventId id = world.schedule(Cause.PREEMPT, "m0");
        assertRefused(Problem.CONFLICT, id.toString(), () -> apply(List.of(), spot("m0", false)));
        EventId deletion = world.schedule(Cause.TERMINATE, "m1");
        assertRefused(Problem.CONFLICT, deletion.toString(), () -> apply(List.of(), spot("m1", true)));
    }

    private static MachineSpec spot(String name, boolean spot) {
        return new MachineSpec(1, EngineHarness.machine(name), WEB, null, null, "", List.of(), "", spot, Map.of());
    }

    @Test
    void anIncarnationOutlivesItsGroup() {
        EventId id = world.schedule(Cause.RESTART, "m0");
        world.ask(new Command.Cancel(id, EngineHarness.PERSON));
        assertEquals(3, world.incarnation());
        world.ask(world.engine.change(state -> FleetRules.remove(state, WEB), EngineHarness.PERSON, null));
        assertTrue(published.group(WEB).isEmpty());
        world.group(WEB, GroupKind.AVAILABILITY_SET, 2, 2);
        assertEquals(3, world.incarnation());
        world.open();
        assertEquals(3, world.incarnation());
    }

    @Test
    void aSingleGroupHoldsOneMachine() {
        FleetSpec spec = new FleetSpec(
                List.of(group(DB, GroupKind.SINGLE, null)),
                List.of(machine(2, "a", DB, null), machine(3, "b", DB, null)));
        assertRefused(Problem.BAD_INPUT, "holds one", () -> FleetRules.apply(published, spec, false));
    }

    @Test
    void unknownNamesAreReportedWithSimilarOnes() {
        assertRefused(
                Problem.NOT_FOUND,
                "did you mean web?",
                () -> FleetRules.remove(published, new GroupId("default", "webb")));
        MachineId typo = EngineHarness.machine("m00");
        assertRefused(Problem.NOT_FOUND, "did you mean m0?", () -> FleetRules.remove(published, List.of(typo)));
    }

    @Test
    void twoClaimsOfOneAddressInOneTurnAreDistinguished() {
        MachineSpec first = machine(1, "a", WEB, 0, "127.0.0.50");
        MachineSpec second = machine(1, "b", WEB, 1, "127.0.0.50");
        var one = world.engine.change(
                state -> FleetRules.apply(state, new FleetSpec(List.of(), List.of(first)), false),
                EngineHarness.PERSON,
                null);
        var two = world.engine.change(
                state -> FleetRules.apply(state, new FleetSpec(List.of(), List.of(second)), false),
                EngineHarness.PERSON,
                null);
        var gone = world.engine.change(
                state -> FleetRules.remove(state, List.of(EngineHarness.machine("m3"))), EngineHarness.PERSON, null);
        world.ask(one);
        assertRefused(Problem.BAD_INPUT, "already belongs to default/a", () -> world.ask(two));
        world.ask(gone);
        assertEquals(
                EngineHarness.machine("a"), published.atAddress("127.0.0.50").orElseThrow());
    }

    @Test
    void aGroupWithAnOpenEventKeepsItsKind() {
        world.schedule(Cause.RESTART, "m0");
        assertRefused(Problem.CONFLICT, "kind", () -> apply(List.of(group(WEB, GroupKind.CLOUD_SERVICE, 2))));
    }
}
