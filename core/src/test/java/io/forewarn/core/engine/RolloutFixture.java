package io.forewarn.core.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.forewarn.core.Actor;
import io.forewarn.core.Problem;
import io.forewarn.core.RefusedException;
import io.forewarn.core.event.Cause;
import io.forewarn.core.event.Event;
import io.forewarn.core.event.EventId;
import io.forewarn.core.fleet.FleetSpec;
import io.forewarn.core.fleet.FleetSpec.GroupSpec;
import io.forewarn.core.fleet.FleetSpec.MachineSpec;
import io.forewarn.core.fleet.GroupId;
import io.forewarn.core.fleet.GroupKind;
import io.forewarn.core.fleet.MachineId;
import io.forewarn.core.policy.MaintenanceWindow;
import io.forewarn.core.policy.Policy;
import io.forewarn.core.policy.PostponementLimit;
import io.forewarn.core.policy.Scope;
import io.forewarn.core.rollout.ConcurrencyLimit;
import io.forewarn.core.rollout.Rollout;
import io.forewarn.core.rollout.RolloutSpec;
import io.forewarn.core.rollout.RolloutTarget;
import io.forewarn.core.rollout.RolloutUnit;
import io.forewarn.core.rollout.RolloutUnitChunk;
import io.forewarn.core.rollout.Turn;
import io.forewarn.core.rules.Command;
import io.forewarn.core.rules.DriverReport;
import io.forewarn.core.rules.FleetRules;
import io.forewarn.core.rules.ServiceTerms;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;

/** Fleets and rollouts for tests about work over many hosts. */
abstract class RolloutFixture {
    static final GroupId DB = new GroupId("default", "db");
    static final Duration NOTICE = Duration.ofMinutes(15);
    static final Duration RECOVERY = Duration.ofMinutes(30);

    final EngineHarness world = new EngineHarness(ServiceTerms.AZURE, 1, 0);

    /** Each host carries a machine of both groups; web's update domain is the host's number, db's is always 0. */
    void twoGroupsOnHosts(int hosts) {
        List<MachineSpec> machines = new ArrayList<>();
        for (int i = 0; i < hosts; i++) {
            machines.add(machine(EngineHarness.WEB, "w" + i, i, "host-" + i));
            machines.add(machine(DB, "d" + i, 0, "host-" + i));
        }
        apply(hosts, machines);
    }

    void webOnHosts(int hosts) {
        List<MachineSpec> machines = new ArrayList<>();
        for (int i = 0; i < hosts; i++) {
            machines.add(machine(EngineHarness.WEB, "w" + i, i, "host-" + i));
        }
        apply(hosts, machines);
    }

    static MachineSpec machine(GroupId group, String name, int domain, String host) {
        MachineId id = new MachineId(group.tenant(), name);
        return new MachineSpec(0, id, group, domain, domain % 2, host, List.of(), "", false, Map.of("env", name));
    }

    void apply(int domains, List<MachineSpec> machines) {
        List<GroupSpec> groups = List.of(
                new GroupSpec(0, EngineHarness.WEB, GroupKind.AVAILABILITY_SET, domains, 2),
                new GroupSpec(0, DB, GroupKind.AVAILABILITY_SET, 1, 2));
        FleetSpec spec = new FleetSpec(groups, machines);
        world.ask(world.engine.change(facts -> FleetRules.apply(facts, spec, false), EngineHarness.PERSON, null));
    }

    /** Adds machines, or changes where they are. */
    void place(MachineSpec... machines) {
        FleetSpec spec = new FleetSpec(List.of(), List.of(machines));
        world.ask(world.engine.change(facts -> FleetRules.apply(facts, spec, false), EngineHarness.PERSON, null));
    }

    void place(GroupId group, String name, int domain, String host) {
        place(machine(group, name, domain, host));
    }

    void removeMachine(String name) {
        List<MachineId> gone = List.of(EngineHarness.machine(name));
        world.ask(world.engine.change(facts -> FleetRules.remove(facts, gone), EngineHarness.PERSON, null));
    }

    /** Web's a, b and c in update domains 0 to 2 of one host, evacuated from then on. */
    void startEvacuationOfThreeDomains(Instant begins) {
        apply(
                3,
                List.of(
                        machine(EngineHarness.WEB, "a", 0, "host-1"),
                        machine(EngineHarness.WEB, "b", 1, "host-1"),
                        machine(EngineHarness.WEB, "c", 2, "host-1")));
        world.poll(EngineHarness.WEB, "a");
        start(spec("os", RolloutTarget.Kind.HOSTS, "host-1")
                .withEvacuation(true)
                .with(b -> b.at = begins));
    }

    static RolloutSpec spec(String name, RolloutTarget.Kind kind, String... names) {
        return RolloutSpec.of(name, Cause.HOST_REBOOT, new RolloutTarget(kind, List.of(names)));
    }

    static RolloutSpec hosts(ConcurrencyLimit atOnce) {
        RolloutSpec all = spec("os", RolloutTarget.Kind.HOSTS, "*");
        return all.withAtOnce(atOnce);
    }

    void start(RolloutSpec spec) {
        world.ask(world.engine.roll(spec, EngineHarness.PERSON, null));
    }

    Rollout rollout() {
        return world.engine.view().rollout("os").orElseThrow();
    }

    List<Event> open(GroupId group) {
        return world.engine.view().state(group).events();
    }

    Event only(GroupId group) {
        assertEquals(1, open(group).size(), () -> open(group).toString());
        return open(group).get(0);
    }

    void approve(GroupId group) {
        world.ask(new Command.Approve(group, List.of(only(group).id()), Actor.machine("default/x", "127.0.0.1")));
    }

    void done() {
        List<EventId> ids = List.copyOf(world.running.keySet());
        world.running.clear();
        ids.forEach(id -> world.report(id, DriverReport.DONE));
    }

    Problem refused(RolloutSpec spec) {
        return assertThrows(RefusedException.class, () -> start(spec)).problem();
    }

    /** World.START is a Sunday noon. */
    static MaintenanceWindow daily(int hour) {
        return new MaintenanceWindow(
                EnumSet.allOf(DayOfWeek.class), LocalTime.of(hour, 0), Duration.ofHours(2), ZoneId.of("UTC"));
    }

    static RolloutSpec windowed(int hour) {
        RolloutSpec all = spec("os", RolloutTarget.Kind.HOSTS, "*");
        return all.withWindows(List.of(daily(hour)));
    }

    /** The same, with so much notice that machines are shown it at once. */
    static RolloutSpec windowedAndShown(int hour) {
        int hours = Math.floorMod(hour - 12, 24);
        return windowed(hour).withNotice(Duration.ofHours(hours));
    }

    /** When a unit of the rollout is to start. */
    Turn turn(int unit) {
        return unit(unit).turn();
    }

    RolloutUnit unit(int number) {
        return world.engine.view().units("os", number / RolloutUnitChunk.SIZE).unit(number);
    }

    /** Lets time pass until then. */
    void passUntil(Instant then) {
        world.pass(Duration.between(world.now(), then));
    }

    void policy(GroupId group, int hour) {
        Scope scope = new Scope(group.tenant(), group.name(), null);
        Policy policy = new Policy(
                scope,
                null,
                null,
                null,
                null,
                List.of(daily(hour)),
                null,
                new PostponementLimit(9, Duration.ofDays(9)),
                null,
                null,
                null);
        world.ask(new Command.SetPolicy(policy, EngineHarness.PERSON));
    }
}
