package io.forewarn.core.rules;

import io.forewarn.core.rollout.ConcurrencyLimit;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;

/** Keeps how many units of a rollout are in progress at each time, and finds room for another within its limit. */
final class ConcurrencyProfile {
    /** A unit that reaches over several fault domains shares its time with no other. */
    static final int SEVERAL_FAULT_DOMAINS = -1;

    private record Load(int units, int faultDomain) {
        private static final Load NONE = new Load(0, 0);
    }

    private final boolean byFaultDomain;
    private final int limit;

    /** The load from each time on, until the next. */
    private final TreeMap<Instant, Load> loads = new TreeMap<>();

    /** From here to {@code full} there is no room for anything, so that a long plan need not be searched from its start. */
    private final Instant base;

    private Instant full;

    /**
     * @param units how many units the rollout has
     * @param from when its first unit may start
     */
    ConcurrencyProfile(ConcurrencyLimit atOnce, int units, Instant from) {
        this.byFaultDomain = atOnce.kind() == ConcurrencyLimit.Kind.FAULT_DOMAIN;
        this.limit = atOnce.of(units);
        this.base = from;
        this.full = from;
        loads.put(Instant.MIN, Load.NONE);
    }

    /** One that keeps how many events a group has. */
    static ConcurrencyProfile of(int limit, Instant from) {
        return new ConcurrencyProfile(new ConcurrencyLimit(ConcurrencyLimit.Kind.COUNT, limit), 0, from);
    }

    /** Whether a rollout of so many units can reach its limit at all. */
    static boolean binds(ConcurrencyLimit atOnce, int units) {
        return atOnce.kind() == ConcurrencyLimit.Kind.FAULT_DOMAIN ? units > 1 : atOnce.of(units) < units;
    }

    void add(Instant from, Instant to, int faultDomain) {
        split(from);
        split(to);
        loads.subMap(from, to)
                .replaceAll((at, load) -> new Load(
                        load.units + 1,
                        load.units == 0 || load.faultDomain == faultDomain ? faultDomain : SEVERAL_FAULT_DOMAINS));
        while (!byFaultDomain && loads.floorEntry(full).getValue().units >= limit) {
            full = loads.higherKey(full);
        }
    }

    private void split(Instant at) {
        loads.putIfAbsent(at, loads.floorEntry(at).getValue());
    }

    /** The first time from {@code at} on with room for a unit that takes so long. */
    Instant free(Instant at, Duration takes, int faultDomain) {
        Instant found = !byFaultDomain && full.isAfter(at) && !at.isBefore(base) ? full : at;
        while (true) {
            Instant blocked = blockedUntil(found, found.plus(takes), faultDomain);
            if (blocked == null) {
                return found;
            }
            found = blocked;
        }
    }

    /** The end of the last stretch between the two without room; null if there is room all the time. */
    private Instant blockedUntil(Instant from, Instant to, int faultDomain) {
        Instant blocked = null;
        for (Map.Entry<Instant, Load> at = loads.floorEntry(from);
                at != null && at.getKey().isBefore(to);
                at = loads.higherEntry(at.getKey())) {
            if (!hasRoom(at.getValue(), faultDomain)) {
                Map.Entry<Instant, Load> next = loads.higherEntry(at.getKey());
                blocked = next.getKey();
            }
        }
        return blocked;
    }

    private boolean hasRoom(Load load, int faultDomain) {
        return byFaultDomain
                ? load.units == 0 || load.faultDomain == faultDomain && faultDomain != SEVERAL_FAULT_DOMAINS
                : load.units < limit;
    }
}
