package io.forewarn.acceptance.floorplan;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

final class FloorPlanTest {
    /**
     * Room: the rooms it may open, then packages from outside. A room is a package of ours with what lies below it, unless that has a
     * line of its own; two dots mean all rooms of that name. {@code java} is all of the JDK; the rules get what values are made of.
     */
    private static final String PLAN = """
            core                 : java
            core.fleet           : core | java
            core.audit           : core | java
            core.event           : core core.fleet | java
            core.policy          : core core.fleet core.event | java.lang java.math java.text java.time java.util
            core.rollout         : core core.fleet core.event core.policy | java.lang java.math java.text java.time java.util
            core.notification    : core core.fleet core.event | java.lang java.math java.text java.time java.util
            core.history         : core core.fleet core.event core.notification | java.lang java.math java.text java.time java.util
            core.access          : core | java.lang java.math java.text java.time java.util
            core.rules           : core core.fleet core.event core.policy core.rollout core.notification core.history core.access | java.lang java.math java.text java.time java.util
            core.engine          : core.. | java
            records              : core.. | java com.fasterxml.jackson.core
            wire                 : core.. | java
            wire.azure           : core.. wire | java com.fasterxml.jackson
            wire.control         : core.. wire | java com.fasterxml.jackson org.yaml.snakeyaml
            wire.guest           : core.. wire wire.control | java
            wire.notification    : core.. wire wire.control | java com.fasterxml.jackson
            wire.openapi         : core.. wire wire.control wire.guest | java
            wire.driver          : core.. wire | java com.fasterxml.jackson
            console              : | java
            store.sqlite         : core core.engine | java org.sqlite
            store.etcd           : core core.engine | java io.etcd io.grpc io.netty
            server.settings      : core.. wire.. server.identity server.metadata server.driver server.notification | java com.fasterxml.jackson
            server.identity      : core.. | java
            server.http          : wire.. server.log | java io.vertx io.netty
            server.metadata      : core.. wire.. server.identity server.http | java io.vertx io.netty
            server.history       : core.. | java
            server.calendar      : core.. server.history | java net.fortuna.ical4j
            server.log           : core | java
            server.clock         : core.. server.settings | java io.vertx
            server.forward       : core.. wire.. | java io.vertx
            server.control       : core.. wire.. console server.calendar server.clock server.forward server.history server.settings server.http server.log server.notification | java io.vertx io.netty.channel com.fasterxml.jackson
            server.driver        : core.. wire.. | java
            server.notification  : core.. wire.. | java io.vertx jakarta.mail
            server.metrics       : core.. wire.. server.log | java io.micrometer
            server.cluster       : core.. wire.. store.etcd server.clock server.control server.forward server.settings server.log | java io.vertx
            server.store         : core.. store.. server.settings | java
            server.boot          : core.. records wire.. store.. server.. | java io.vertx org.slf4j
            cli                  : core core.fleet wire.. server.settings server.boot server.store server.log | java picocli
            """;

    /** JDK packages that reach outside the program, or its thread. Nobody gets them by asking for {@code java.lang} or {@code java.util}. */
    private static final Set<String> REACHING = Set.of(
            "java.io",
            "java.net",
            "java.nio",
            "java.sql",
            "java.util.concurrent",
            "java.util.logging",
            "java.lang.Thread",
            "java.lang.ThreadLocal",
            "java.lang.Process",
            "java.lang.ProcessBuilder");

    private static final Map<String, Set<String>> ROOMS = read();

    @Test
    void everyPackageHasALineInThePlan() {
        Set<String> homeless = new TreeSet<>();
        Classes.OURS.stream()
                .filter(type -> roomOf(type.getPackageName()).isEmpty())
                .forEach(type -> homeless.add(type.getPackageName()));
        assertEquals(Set.of(), homeless, "packages without a line in FloorPlanTest.PLAN");
    }

    @Test
    void everyLineOfThePlanHasARoom() {
        Set<String> empty = new TreeSet<>(ROOMS.keySet());
        Classes.OURS.forEach(type -> roomOf(type.getPackageName()).ifPresent(empty::remove));
        assertEquals(Set.of(), empty, "lines of FloorPlanTest.PLAN without a class");
    }

    @Test
    void aRoomOpensOnlyTheDoorsOfItsLine() {
        Map<String, Set<String>> wrong = new TreeMap<>();
        for (JavaClass type : Classes.OURS) {
            String room = roomOf(type.getPackageName()).orElse("nowhere");
            for (Dependency dependency : type.getDirectDependenciesFromSelf()) {
                JavaClass door = dependency.getTargetClass().getBaseComponentType();
                if (ROOMS.containsKey(room) && !mayOpen(room, door)) {
                    wrong.computeIfAbsent(room + " opens " + door.getFullName(), key -> new TreeSet<>())
                            .add(type.getSimpleName());
                }
            }
        }
        assertEquals(Map.of(), wrong, "doors that FloorPlanTest.PLAN does not give, and who opens them");
    }

    @Test
    void noRoomIsOpenedFromARoomItOpens() {
        Set<String> left = new TreeSet<>(ROOMS.keySet());
        while (left.removeIf(room -> left.stream().noneMatch(other -> !other.equals(room) && given(room, other)))) {
            // Each pass takes away the rooms that open none of those left; what can never go is a circle.
        }
        assertEquals(Set.of(), left, "rooms of FloorPlanTest.PLAN on a circle, or that open one");
    }

    @Test
    void onlyBootReadsTheClockOfTheMachine() {
        noClasses()
                .that()
                .resideOutsideOfPackage("io.forewarn.server.boot..")
                .should()
                .accessTargetWhere(
                        DescribedPredicate.describe("the machine's clock is read", FloorPlanTest::readsTheClock))
                .because(
                        "a test must be able to move time: take core.engine.Clock, or a LongSupplier of elapsed nanoseconds")
                .check(Classes.OURS);
    }

    private static boolean readsTheClock(JavaAccess<?> access) {
        String owner = access.getTargetOwner().getFullName();
        String name = access.getTarget().getName();
        boolean now = name.equals("now") && owner.startsWith("java.time.");
        boolean system =
                owner.equals("java.lang.System") && (name.equals("currentTimeMillis") || name.equals("nanoTime"));
        boolean clock = owner.equals("java.time.Clock") && (name.startsWith("system") || name.startsWith("tick"));
        boolean date = owner.equals("java.util.Date") && access.getDescription().contains("<init>()>");
        return now || system || clock || date;
    }

    private static boolean mayOpen(String room, JavaClass door) {
        if (door.isPrimitive()) {
            return true;
        }
        if (door.getPackageName().startsWith(Classes.ROOT + ".")) {
            Optional<String> other = roomOf(door.getPackageName());
            return other.filter(name -> name.equals(room) || given(room, name)).isPresent();
        }
        String name = door.getFullName();
        boolean everything = ROOMS.get(room).contains("java");
        boolean jdk = name.startsWith("java.") || name.startsWith("javax.") || name.startsWith("jdk.");
        if (jdk && everything) {
            return true;
        }
        return ROOMS.get(room).stream().anyMatch(given -> isOrIn(name, given))
                && REACHING.stream().noneMatch(reaching -> isOrIn(name, reaching));
    }

    private static boolean given(String room, String other) {
        return ROOMS.get(room).stream()
                .anyMatch(door ->
                        door.endsWith("..") ? isOrIn(other, door.substring(0, door.length() - 2)) : door.equals(other));
    }

    private static boolean isOrIn(String name, String given) {
        return name.equals(given) || name.startsWith(given + ".") || name.startsWith(given + "$");
    }

    /** The line with the longest name that holds this package. */
    private static Optional<String> roomOf(String packageName) {
        return ROOMS.keySet().stream()
                .filter(room -> isOrIn(packageName, Classes.ROOT + "." + room))
                .max(Comparator.comparingInt(String::length));
    }

    private static Map<String, Set<String>> read() {
        Map<String, Set<String>> rooms = new TreeMap<>();
        PLAN.lines().forEach(line -> {
            String[] sides = line.split(":", 2);
            rooms.put(
                    sides[0].strip(),
                    Set.copyOf(List.of(sides[1].replace('|', ' ').strip().split("\\s+"))));
        });
        return rooms;
    }
}
