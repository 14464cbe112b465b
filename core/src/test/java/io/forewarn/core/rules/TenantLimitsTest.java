package io.forewarn.core.rules;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.forewarn.core.Actor;
import io.forewarn.core.Problem;
import io.forewarn.core.RefusedException;
import io.forewarn.core.access.ApiToken;
import io.forewarn.core.access.Role;
import io.forewarn.core.engine.EngineHarness;
import io.forewarn.core.engine.PublishedState;
import io.forewarn.core.event.Cause;
import io.forewarn.core.event.Event;
import io.forewarn.core.event.EventId;
import io.forewarn.core.event.Phase;
import io.forewarn.core.fleet.AddressRange;
import io.forewarn.core.fleet.FleetChange;
import io.forewarn.core.fleet.FleetSpec;
import io.forewarn.core.fleet.FleetSpec.MachineSpec;
import io.forewarn.core.fleet.GroupId;
import io.forewarn.core.fleet.MachineId;
import io.forewarn.core.fleet.NamePattern;
import io.forewarn.core.fleet.Quota;
import io.forewarn.core.fleet.Tenant;
import io.forewarn.core.notification.Channel;
import io.forewarn.core.notification.Subscription;
import io.forewarn.core.notification.SubscriptionId;
import io.forewarn.core.policy.Blackout;
import io.forewarn.core.policy.Policy;
import io.forewarn.core.policy.PostponementLimit;
import io.forewarn.core.policy.Scope;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** What owners may take themselves, and what an operator must give them. */
class TenantLimitsTest {
    private static final Actor OWNER = Actor.owner("shop-team", "127.0.0.1");
    private static final OwnerLimits SMALL = new OwnerLimits(
            Map.of(
                    Quota.MACHINES, 3L,
                    Quota.GROUPS, 3L,
                    Quota.FLEET_BYTES, 10_000L,
                    Quota.POLICIES, 1L,
                    Quota.TOKENS, 2L,
                    Quota.WEBHOOKS, 1L,
                    Quota.MAIL_SUBSCRIPTIONS, 1L),
            Duration.ofDays(7),
            Duration.ofDays(30));

    private final EngineHarness world = new EngineHarness(ServiceTerms.TEST.with(SMALL), 1, 0);
    private PublishedState published = world.engine.view();

    private static MachineSpec machine(String name, String host, String... addresses) {
        return new MachineSpec(
                1, new MachineId("shop", name), null, null, null, host, List.of(addresses), "", false, Map.of());
    }

    private Function<StateReader, FleetChange> plan(boolean owner, MachineSpec... machines) {
        FleetSpec spec = new FleetSpec(List.of(), List.of(machines));
        return state -> FleetRules.apply(state, spec, false, "shop"::equals, owner ? SMALL : null);
    }

    private void operator(MachineSpec... machines) {
        world.ask(world.engine.change(plan(false, machines), EngineHarness.PERSON, null));
    }

    private void owner(MachineSpec... machines) {
        world.ask(world.engine.change(plan(true, machines), OWNER, null));
    }

    private void give(List<String> addresses, List<String> hosts, Map<Quota, Long> quotas) {
        world.ask(new Command.SetTenant(
                "shop",
                addresses == null
                        ? null
                        : addresses.stream()
                                .map(a -> AddressRange.parse(a).orElseThrow())
                                .toList(),
                hosts == null ? null : hosts.stream().map(NamePattern::new).toList(),
                quotas,
                Set.of(),
                EngineHarness.PERSON));
    }

    private static void refused(Problem problem, String words, Runnable step) {
        RefusedException refusal = assertThrows(RefusedException.class, step::run);
        assertEquals(problem, refusal.problem(), refusal.getMessage());
        assertTrue(refusal.getMessage().contains(words), refusal.getMessage());
    }

    @Test
    void anOwnerTakesNoAddressThatWasNotGiven() {
        refused(Problem.FORBIDDEN, "was not given to tenant shop", () -> owner(machine("thief", "", "10.0.0.9")));
        give(List.of("10.1.0.0/16", "fd00::/64"), null, Map.of());
        owner(machine("a", "", "10.1.2.3", "fd00::7"));
        refused(Problem.FORBIDDEN, "address 10.2.0.1", () -> owner(machine("a", "", "10.1.2.3", "10.2.0.1")));
        refused(Problem.FORBIDDEN, "address fd01::7", () -> owner(machine("a", "", "fd01::7")));
    }

    @Test
    void errorsDoNotRevealWhetherAForeignAddressIsInUse() {
        world.ask(world.engine.change(
                state -> FleetRules.apply(
                        state,
                        new FleetSpec(
                                List.of(),
                                List.of(new MachineSpec(
                                        0,
                                        new MachineId("bank", "vault"),
                                        null,
                                        null,
                                        null,
                                        "",
                                        List.of("10.9.9.9"),
                                        "",
                                        false,
                                        Map.of()))),
                        false),
                EngineHarness.PERSON,
                null));
        RefusedException taken = assertThrows(RefusedException.class, () -> owner(machine("a", "", "10.9.9.9")));
        RefusedException free = assertThrows(RefusedException.class, () -> owner(machine("a", "", "10.9.9.8")));
        assertEquals(
                free.getMessage().replace("10.9.9.8", "X"), taken.getMessage().replace("10.9.9.9", "X"));
    }

    @Test
    void anOwnerPlacesNoMachineOnAHostThatWasNotGiven() {
        refused(Problem.FORBIDDEN, "host rack-1", () -> owner(machine("a", "rack-1")));
        give(null, List.of("shop-*", "rack-?"), Map.of());
        owner(machine("a", "shop-9"));
        owner(machine("a", "rack-1"));
        refused(Problem.FORBIDDEN, "host rack-10", () -> owner(machine("a", "rack-10")));
    }

    @Test
    void anOwnerMayRepeatWhatAnOperatorSetForAMachine() {
        operator(machine("a", "rack-1", "10.0.0.1"), machine("b", "rack-2", "10.0.0.2"));
        owner(machine("a", "rack-1", "10.0.0.1"), machine("b", "rack-2", "10.0.0.2"));
        owner(machine("a", "", "10.0.0.1"));
        refused(Problem.FORBIDDEN, "host rack-1", () -> owner(machine("a", "rack-1", "10.0.0.1")));
        refused(Problem.FORBIDDEN, "host rack-1", () -> owner(machine("b", "rack-1", "10.0.0.2")));
        refused(
                Problem.FORBIDDEN,
                "address 10.0.0.1",
                () -> owner(machine("a", "", "10.0.0.2"), machine("b", "rack-2", "10.0.0.1")));
    }

    @Test
    void anOwnersFleetHasAnEndAndAnOperatorMovesIt() {
        owner(machine("a", ""), machine("b", ""), machine("c", ""));
        refused(Problem.LIMIT_EXCEEDED, "3 machines and would have 4", () -> owner(machine("d", "")));
        owner(machine("a", ""), machine("b", ""));
        give(null, null, Map.of(Quota.MACHINES, 4L, Quota.GROUPS, 4L));
        owner(machine("d", ""));
        refused(Problem.LIMIT_EXCEEDED, "its owners may have 4", () -> owner(machine("e", "")));
        operator(machine("e", ""), machine("f", ""));
        assertEquals(6, published.used("shop", Quota.MACHINES));
        owner(machine("a", ""));
        world.ask(world.engine.change(
                state -> FleetRules.remove(state, List.of(new MachineId("shop", "a"))), OWNER, null));
        refused(Problem.LIMIT_EXCEEDED, "5 machines", () -> owner(machine("a", "")));
    }

    /** Machines may be few and their tags many. */
    @Test
    void anOwnersFleetIsAlsoWeighed() {
        Map<String, String> tags = Map.of("a", "x".repeat(1000), "b", "x".repeat(1000), "c", "x".repeat(1000));
        MachineSpec fat =
                new MachineSpec(1, new MachineId("shop", "fat"), null, null, null, "", List.of(), "", false, tags);
        owner(fat);
        refused(
                Problem.LIMIT_EXCEEDED,
                "bytes of fleet",
                () -> owner(new MachineSpec(
                        1, new MachineId("shop", "fat2"), null, null, null, "", List.of(), "", false, tags)));
    }

    /** Worked out side by side, each would fit; decided one after the other, the second does not. */
    @Test
    void twoFilesAtOnceAreNotCountedApart() {
        var first = world.engine.change(plan(true, machine("a", ""), machine("b", "")), OWNER, null);
        var second = world.engine.change(plan(true, machine("c", ""), machine("d", "")), OWNER, null);
        world.ask(first);
        refused(Problem.LIMIT_EXCEEDED, "machines", () -> world.ask(second));
    }

    @Test
    void tokensPoliciesWebhooksAndMailsAreCounted() {
        operator(machine("a", ""), machine("b", ""));
        for (String name : List.of("t1", "t2")) {
            world.ask(new Command.AddToken(token(name), OWNER));
        }
        refused(Problem.LIMIT_EXCEEDED, "2 tokens", () -> world.ask(new Command.AddToken(token("t3"), OWNER)));
        world.ask(new Command.RemoveToken("t1", "shop", OWNER));
        world.ask(new Command.AddToken(token("t3"), OWNER));
        world.ask(new Command.AddToken(token("t4"), EngineHarness.PERSON));

        world.ask(new Command.SetPolicy(notice("a", Duration.ofHours(1)), OWNER));
        world.ask(new Command.SetPolicy(notice("a", Duration.ofHours(2)), OWNER));
        refused(
                Problem.LIMIT_EXCEEDED,
                "1 policies",
                () -> world.ask(new Command.SetPolicy(notice("b", Duration.ofHours(1)), OWNER)));

        world.ask(new Command.AddRecipient(recipient(Channel.WEBHOOK, "w1"), OWNER));
        world.ask(new Command.AddRecipient(recipient(Channel.MAIL, "w1"), OWNER));
        for (Channel channel : Channel.values()) {
            refused(
                    Problem.LIMIT_EXCEEDED,
                    "would have 2",
                    () -> world.ask(new Command.AddRecipient(recipient(channel, "w2"), OWNER)));
            world.ask(new Command.AddRecipient(recipient(channel, "w3"), EngineHarness.PERSON));
        }
        List<Long> counted = counts();
        world.open();
        published = world.engine.view();
        assertEquals(counted, counts(), "after a restart");
    }

    private List<Long> counts() {
        List<Long> counts = new ArrayList<>();
        for (Quota quota : Quota.values()) {
            counts.add(published.used("shop", quota));
        }
        return counts;
    }

    private static ApiToken token(String name) {
        return new ApiToken(name, "shop", Role.OWNER, "ab".repeat(32), EngineHarness.START, null);
    }

    private static Subscription recipient(Channel channel, String name) {
        return new Subscription(
                new SubscriptionId(channel, "shop", name),
                Set.of(),
                Set.of(),
                "",
                List.of(),
                "",
                EngineHarness.START,
                0);
    }

    private static Policy notice(String group, Duration notice) {
        return new Policy(new Scope("shop", group, null), notice, null, null, null, null, null, null, null, null, null);
    }

    @Test
    void anOwnersNoticeHasAnEnd() {
        operator(machine("a", ""));
        refused(
                Problem.FORBIDDEN,
                "at most 7d",
                () -> world.ask(new Command.SetPolicy(notice("a", Duration.ofDays(365)), OWNER)));
        world.ask(new Command.SetPolicy(notice("a", Duration.ofDays(7)), OWNER));
        refused(Problem.BAD_INPUT, "only 7d", () -> world.ask(restart(Duration.ofDays(8), OWNER)));

        world.ask(new Command.SetPolicy(notice("a", Duration.ofDays(30)), EngineHarness.PERSON));
        world.ask(new Command.SetPolicy(notice("a", Duration.ofDays(30)), OWNER));
        world.ask(restart(Duration.ofDays(30), OWNER));
        world.ask(new Command.SetPolicy(notice("a", Duration.ofDays(1)), OWNER));
    }

    /** What is postponed for a year was given notice of a year. */
    @Test
    void anOwnersPostponementHasAnEnd() {
        operator(machine("a", ""));
        Policy long0 = postpones(Duration.ofDays(8), null);
        Policy long1 = postpones(null, Duration.ofDays(8));
        for (Policy policy : List.of(long0, long1)) {
            refused(Problem.FORBIDDEN, "at most 7d", () -> world.ask(new Command.SetPolicy(policy, OWNER)));
            world.ask(new Command.SetPolicy(policy, EngineHarness.PERSON));
        }
        world.ask(new Command.SetPolicy(postpones(Duration.ofDays(7), Duration.ofDays(7)), OWNER));
    }

    private static Policy postpones(Duration owners, Duration guests) {
        return new Policy(
                new Scope("shop", "a", null),
                null,
                null,
                null,
                null,
                null,
                null,
                owners == null ? null : new PostponementLimit(3, owners),
                guests == null ? null : new PostponementLimit(3, guests),
                null,
                null);
    }

    /** One tenant's blackout of a year must not keep a host, and with it other tenants, waiting for a year. */
    @Test
    void anOwnersPolicyDelaysPlatformWorkForALimitedTime() {
        operator(machine("a", ""));
        Duration hold = Duration.ofDays(30);
        Policy closed = blackout(LocalDate.ofInstant(world.now(), ZoneOffset.UTC), 300);
        world.ask(new Command.SetPolicy(closed, OWNER));
        Instant until = world.now().plus(Duration.ofDays(30));
        EventId held = freeze();
        assertEquals(until, notBefore(held));
        world.pass(hold.minusSeconds(1));
        assertEquals(Phase.SCHEDULED, phase(held));
        String why = world.engine
                .rules()
                .blockers(
                        world.engine.view(),
                        new GroupId("shop", "a"),
                        world.event(held).orElseThrow(),
                        world.now())
                .toString();
        assertTrue(why.contains("a blackout, by the policy of group shop/a, set by an owner, for at most 30d"), why);
        world.pass(Duration.ofSeconds(1));
        assertEquals(Phase.STARTED, phase(held));
    }

    @Test
    void anOperatorsPolicyDelaysWorkWithoutLimit() {
        operator(machine("a", ""));
        LocalDate today = LocalDate.ofInstant(world.now(), ZoneOffset.UTC);
        world.ask(new Command.SetPolicy(blackout(today, 60), EngineHarness.PERSON));
        world.ask(new Command.SetPolicy(blackout(today, 60), OWNER));
        Instant ends = today.plusDays(61).atStartOfDay(ZoneOffset.UTC).toInstant();
        EventId held = freeze();
        assertEquals(ends, notBefore(held), "an owner who says the same again changes nothing");
        world.ask(new Command.Cancel(held, EngineHarness.PERSON));

        world.ask(new Command.SetPolicy(blackout(today, 61), OWNER));
        assertEquals(world.now().plus(Duration.ofDays(30)), notBefore(freeze()), "now it is the owner's");
    }

    private Instant notBefore(EventId id) {
        return world.event(id).orElseThrow().noticePeriod().notBefore();
    }

    private static Policy blackout(LocalDate first, int days) {
        return new Policy(
                new Scope("shop", "a", null),
                null,
                null,
                null,
                null,
                null,
                List.of(new Blackout(first, first.plusDays(days), ZoneOffset.UTC)),
                null,
                null,
                null,
                null);
    }

    private EventId freeze() {
        Command freeze = new Command.Schedule(
                Cause.FREEZE, List.of(new MachineId("shop", "a")), null, null, EngineHarness.PERSON);
        return world.ask(freeze).events().get(0);
    }

    private Phase phase(EventId id) {
        return world.event(id).map(Event::phase).orElse(Phase.ENDED);
    }

    private static Command restart(Duration notice, Actor by) {
        return new Command.Schedule(Cause.RESTART, List.of(new MachineId("shop", "a")), notice, null, by);
    }

    @Test
    void aTenantKeepsWhatItWasGivenAndNothingElse() {
        give(List.of("10.1.0.0/16"), List.of("shop-*"), Map.of(Quota.TOKENS, 5L));
        give(null, null, Map.of(Quota.MAIL_SUBSCRIPTIONS, 6L));
        Tenant shop = published.tenant("shop").orElseThrow();
        assertEquals("[10.1.0.0/16] [shop-*]", shop.addresses() + " " + shop.hosts());
        assertEquals(Map.of(Quota.TOKENS, 5L, Quota.MAIL_SUBSCRIPTIONS, 6L), shop.quotas());
        assertTrue(world.audit().stream().flatMap(page -> page.deeds().stream()).anyMatch(entry -> entry.asked()
                .equals("set tenant shop: addresses 10.1.0.0/16; hosts shop-*; 5 tokens")));
        world.open();
        published = world.engine.view();
        assertEquals(shop, published.tenant("shop").orElseThrow());
        world.ask(new Command.SetTenant(
                "shop",
                List.of(),
                List.of(),
                Map.of(),
                Set.of(Quota.TOKENS, Quota.MAIL_SUBSCRIPTIONS),
                EngineHarness.PERSON));
        assertFalse(published.tenant("shop").isPresent());
        world.open();
        assertFalse(world.engine.view().tenant("shop").isPresent(), "also on disk");
    }

    @Test
    void aGroupThatNothingHappenedToLeavesNothingBehind() {
        operator(machine("a", ""));
        world.ask(world.engine.change(
                state -> FleetRules.remove(state, new GroupId("shop", "a")), EngineHarness.PERSON, null));
        assertEquals(List.of(), List.copyOf(published.allGroups()));
        assertEquals(0, published.fleetBytes());
    }
}
