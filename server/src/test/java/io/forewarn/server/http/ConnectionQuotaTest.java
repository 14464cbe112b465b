package io.forewarn.server.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.forewarn.server.log.Log;
import io.forewarn.server.log.LogFormat;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ConnectionQuotaTest {
    private final List<String> logged = new ArrayList<>();
    private long nanos;
    private long connected;

    /** One that was made; its place is given back when it is closed, as the network would. */
    private final class Made implements ConnectionQuota.Connection {
        private final long since = connected++;
        private ConnectionQuota.Slot slot;
        private boolean working;
        private boolean closed;

        @Override
        public long idleSince() {
            return working ? Long.MAX_VALUE : since;
        }

        @Override
        public void close() {
            closed = true;
            slot.release();
        }
    }

    private ConnectionQuota quota(int most, int perSource) {
        return new ConnectionQuota("test", most, perSource, () -> nanos, Log.to(logged::add, LogFormat.LOGFMT));
    }

    private Made connect(ConnectionQuota quota, String from, String tenant) {
        Made made = new Made();
        try {
            made.slot = quota.admit(InetAddress.getByName(from), tenant, true, made);
        } catch (UnknownHostException impossible) {
            throw new IllegalStateException(impossible);
        }
        return made;
    }

    @Test
    void strangersHaveHalfAndTheLongestIdleOfWhoHoldsMostGoes() {
        ConnectionQuota quota = quota(16, 0);
        Made lone = connect(quota, "10.0.0.1", null);
        List<Made> many = new ArrayList<>();
        for (int i = 0; i < 7; i++) {
            many.add(connect(quota, "10.0.0.2", null));
        }
        many.get(0).working = true;
        assertNotNull(connect(quota, "10.0.0.3", null).slot);
        assertFalse(lone.closed);
        assertFalse(many.get(0).closed);
        assertTrue(many.get(1).closed);
        assertEquals(8, quota.open());
    }

    @Test
    void anUnknownCallerThatKeepsSendingIsDisconnectedToo() {
        ConnectionQuota quota = quota(16, 0);
        List<Made> many = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            many.add(connect(quota, "10.0.0.2", null));
        }
        many.forEach(made -> made.working = true);
        assertNotNull(connect(quota, "10.0.0.3", null).slot);
        assertTrue(many.get(0).closed);
    }

    @Test
    void addressesOfOneIpv6NetworkCountTogether() {
        ConnectionQuota quota = quota(16, 0);
        Made lone = connect(quota, "2001:db8:1::1", null);
        Made first = connect(quota, "2001:db8:2::1", null);
        for (int i = 2; i < 40; i++) {
            connect(quota, "2001:db8:2::" + i, null);
        }
        assertFalse(lone.closed);
        assertTrue(first.closed);
    }

    @Test
    void knownCallersFindRoomWhateverUnknownOnesDo() {
        ConnectionQuota quota = quota(16, 0);
        for (int i = 0; i < 100; i++) {
            connect(quota, "10.0.0." + i, null);
        }
        List<Made> known = new ArrayList<>();
        for (int i = 0; i < 14; i++) {
            known.add(connect(quota, "10.1.0." + i, "a"));
            assertNotNull(known.get(i).slot);
        }
        assertTrue(known.stream().noneMatch(made -> made.closed));
        assertEquals(16, quota.open());
    }

    @Test
    void noTenantKeepsAnotherOut() {
        ConnectionQuota quota = quota(16, 0);
        List<Made> large = new ArrayList<>();
        for (int i = 0; i < 14; i++) {
            large.add(connect(quota, "10.1.0." + i, "large"));
        }
        Made small = connect(quota, "10.2.0.1", "small");
        assertNotNull(small.slot);
        assertTrue(large.get(0).closed);
        large.forEach(made -> made.working = true);
        assertNull(
                connect(quota, "10.2.0.2", "small").slot, "nobody who is at work is sent away for one who is not yet");
    }

    @Test
    void authenticatedConnectionsCountAsKnown() {
        ConnectionQuota quota = quota(16, 0);
        Made operator = connect(quota, "10.0.0.2", null);
        operator.slot.known("*all");
        for (int i = 0; i < 100; i++) {
            connect(quota, "10.0.0.2", null);
        }
        assertFalse(operator.closed);
        operator.slot.release();
        operator.slot.release();
        assertEquals(8, quota.open());
    }

    @Test
    void oneAddressHasOnlySoMany() {
        ConnectionQuota quota = quota(100, 2);
        Made first = connect(quota, "10.0.0.2", null);
        connect(quota, "10.0.0.2", null);
        assertNotNull(connect(quota, "10.0.0.2", null).slot);
        assertTrue(first.closed);
        connect(quota, "10.0.0.3", "a");
        connect(quota, "10.0.0.3", "a");
        assertNull(connect(quota, "10.0.0.3", "a").slot);
    }

    @Test
    void closedConnectionsAreLoggedOnceAMinute() {
        ConnectionQuota quota = quota(16, 0);
        for (int i = 0; i < 100; i++) {
            connect(quota, "10.0.0.2", null);
        }
        assertEquals(1, logged.size());
        nanos += Duration.ofSeconds(59).toNanos();
        connect(quota, "10.0.0.2", null);
        assertEquals(1, logged.size());
        nanos += Duration.ofSeconds(1).toNanos();
        connect(quota, "10.0.0.2", null);
        assertEquals(2, logged.size());
        assertTrue(logged.get(1).contains("strangers-closed=93"), logged.get(1));
    }
}
