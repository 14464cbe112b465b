package io.forewarn.server.http;

import io.forewarn.server.log.Log;
import io.forewarn.server.log.LogLine;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Divides the connections of one listener between unknown and known callers (a machine of the fleet, the bearer of a
 * token).
 *
 * <p>Unknown callers get at most half of the connections, known ones at most seven eighths: so a known caller always
 * finds room whatever unknown callers do, and a caller that is not known yet finds room to authenticate. If a kind has
 * none left, a new connection replaces the longest idle connection of the largest holder: for unknown callers an
 * address (for IPv6 a /64 network), for known callers a tenant. An unknown caller's connection is replaced even if it
 * is not idle; a known caller's is not, and then the new connection is refused.
 *
 * <p>Thread-safe. Takes a lock when a connection opens or closes, but not for requests.
 */
public final class ConnectionQuota {
    /** A connection that the quota manages. Both methods are called from any thread, with the quota's lock held. */
    public interface Connection {
        /** Since when it has been idle, comparable only between connections; {@link Long#MAX_VALUE} if it is busy. */
        long idleSince();

        /** Must not block. */
        void close();
    }

    private static final long BETWEEN_WARNINGS = TimeUnit.MINUTES.toNanos(1);
    /** Connections being closed: their descriptors come on top of the quota. */
    private static final int MOST_CLOSING = 128;
    /** How many connections of the largest holder are compared. */
    private static final int LOOKED_AT = 64;

    private final String listener;
    private final int most;
    private final int perSource;
    private final LongSupplier elapsedNanos;
    private final Log log;
    private final Pool strangers = new Pool();
    private final Pool known = new Pool();
    private final Map<String, LinkedHashSet<Slot>> bySource = new HashMap<>();
    private int closing;
    private boolean warned;
    private long warnedAt;
    private int strangersClosed;
    private int knownClosed;
    private int refused;

    /**
     * @param listener its name in the log
     * @param most how many connections there may be
     * @param perSource how many one address may have; 0 for no limit
     */
    public ConnectionQuota(String listener, int most, int perSource, LongSupplier elapsedNanos, Log log) {
        this.listener = listener;
        this.most = most;
        this.perSource = perSource;
        this.elapsedNanos = elapsedNanos;
        this.log = log;
    }

    /**
     * Admits a new connection, if need be in place of another.
     *
     * @param tenant null for an unknown caller
     * @param limited whether the limit per address applies to it
     * @return null if it is refused: close it
     */
    public synchronized Slot admit(InetAddress source, String tenant, boolean limited, Connection connection) {
        Slot slot = new Slot(source == null ? "" : source.getHostAddress(), block(source), tenant, connection);
        boolean admitted =
                (!limited || withinSource(slot)) && (slot.known() ? hasRoomForKnown() : hasRoomForStranger());
        if (!admitted) {
            refused++;
            warn(slot);
            return null;
        }
        enter(slot);
        return slot;
    }

    /** How many are open. */
    public synchronized int open() {
        return strangers.size + known.size + closing;
    }

    private boolean withinSource(Slot newcomer) {
        LinkedHashSet<Slot> its = bySource.get(newcomer.source);
        if (perSource == 0 || its == null || its.size() < perSource) {
            return true;
        }
        if (newcomer.known()) {
            return false;
        }
        Slot oldest = its.stream().filter(slot -> !slot.known()).findFirst().orElse(null);
        return evict(oldest);
    }

    private boolean hasRoomForStranger() {
        boolean full = strangers.size >= Math.max(1, most / 2) || strangers.size + known.size >= most;
        return !full || evict(strangers.longestIdle(true));
    }

    private boolean hasRoomForKnown() {
        if (known.size >= most - most / 8 && !evict(known.longestIdle(false))) {
            return false;
        }
        return strangers.size + known.size < most || evict(strangers.longestIdle(true));
    }

    private boolean evict(Slot victim) {
        if (victim == null || closing >= MOST_CLOSING) {
            return false;
        }
        if (victim.known()) {
            knownClosed++;
        } else {
            strangersClosed++;
        }
        warn(victim);
        leave(victim);
        victim.evicted = true;
        closing++;
        victim.connection.close();
        return true;
    }

    private void enter(Slot slot) {
        (slot.known() ? known : strangers).add(slot);
        bySource.computeIfAbsent(slot.source, source -> new LinkedHashSet<>()).add(slot);
    }

    private void leave(Slot slot) {
        (slot.known() ? known : strangers).remove(slot);
        bySource.computeIfPresent(slot.source, (source, its) -> its.remove(slot) && its.isEmpty() ? null : its);
    }

    /** Warns at once, and then once a minute with a count. */
    private void warn(Slot about) {
        long now = elapsedNanos.getAsLong();
        if (warned && now - warnedAt < BETWEEN_WARNINGS) {
            return;
        }
        warned = true;
        warnedAt = now;
        log.write(LogLine.warning("connections-full")
                .with("listener", listener)
                .with("open", strangers.size + known.size)
                .with("strangers", strangers.size)
                .with("strangers-closed", strangersClosed)
                .with("known-closed", knownClosed)
                .with("refused", refused)
                .with("last", about.source));
        strangersClosed = 0;
        knownClosed = 0;
        refused = 0;
    }

    private static String block(InetAddress source) {
        if (!(source instanceof Inet6Address)) {
            return source == null ? "" : source.getHostAddress();
        }
        StringBuilder network = new StringBuilder();
        for (int i = 0; i < 8; i++) {
            network.append(Integer.toHexString(source.getAddress()[i])).append('.');
        }
        return network.toString();
    }

    /** An admitted connection. */
    public final class Slot {
        private final String source;
        private final String block;
        private final Connection connection;
        private String tenant;
        private boolean evicted;
        private boolean released;

        private Slot(String source, String block, String tenant, Connection connection) {
            this.source = source;
            this.block = block;
            this.tenant = tenant;
            this.connection = connection;
        }

        private boolean known() {
            return tenant != null;
        }

        private String holder() {
            return known() ? tenant : block;
        }

        /**
         * Counts the connection as a known caller's. If these have no room left, it keeps counting as an unknown
         * caller's.
         */
        public void known(String of) {
            synchronized (ConnectionQuota.this) {
                if (evicted || released || known()) {
                    return;
                }
                if (known.size < most - most / 8 || evict(known.longestIdle(false))) {
                    leave(this);
                    tenant = of;
                    enter(this);
                }
            }
        }

        /** The connection has ended. */
        public void release() {
            synchronized (ConnectionQuota.this) {
                if (released) {
                    return;
                }
                released = true;
                if (evicted) {
                    closing--;
                } else {
                    leave(this);
                }
            }
        }
    }

    private static final class Holder {
        private final String name;
        private final LinkedHashSet<Slot> slots = new LinkedHashSet<>();

        private Holder(String name) {
            this.name = name;
        }

        private int size() {
            return slots.size();
        }

        private String name() {
            return name;
        }
    }

    /** Connections of one kind by holder, ordered by size. */
    private static final class Pool {
        private final Map<String, Holder> holders = new HashMap<>();
        private final TreeSet<Holder> bySize =
                new TreeSet<>(Comparator.comparingInt(Holder::size).reversed().thenComparing(Holder::name));
        private int size;

        private void add(Slot slot) {
            Holder holder = holders.computeIfAbsent(slot.holder(), Holder::new);
            bySize.remove(holder); // Its order is about to change.
            holder.slots.add(slot);
            bySize.add(holder);
            size++;
        }

        private void remove(Slot slot) {
            Holder holder = holders.get(slot.holder());
            bySize.remove(holder);
            holder.slots.remove(slot);
            if (holder.slots.isEmpty()) {
                holders.remove(holder.name);
            } else {
                bySize.add(holder);
            }
            size--;
        }

        /** The connection of the largest holder to close; null if there is none. */
        private Slot longestIdle(boolean orElseOldest) {
            if (bySize.isEmpty()) {
                return null;
            }
            Slot longest = null;
            long since = Long.MAX_VALUE;
            int looked = 0;
            for (Slot slot : bySize.first().slots) {
                long its = slot.connection.idleSince();
                if (its < since) {
                    longest = slot;
                    since = its;
                }
                if (++looked == LOOKED_AT) {
                    break;
                }
            }
            return longest != null || !orElseOldest
                    ? longest
                    : bySize.first().slots.iterator().next();
        }
    }
}
