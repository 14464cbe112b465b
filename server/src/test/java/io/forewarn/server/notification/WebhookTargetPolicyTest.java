package io.forewarn.server.notification;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.forewarn.core.RefusedException;
import java.net.InetAddress;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class WebhookTargetPolicyTest {
    private final WebhookTargetPolicy closed = new WebhookTargetPolicy(List.of());

    @ParameterizedTest
    @CsvSource({
        "127.0.0.1, loopback",
        "127.255.255.254, loopback",
        "0.0.0.0, unspecified",
        "10.0.0.1, private",
        "172.16.0.1, private",
        "172.31.255.255, private",
        "192.168.1.1, private",
        "100.64.0.1, private",
        "169.254.169.254, link-local",
        "224.0.0.251, multicast",
        "239.1.1.1, multicast",
        "255.255.255.255, reserved",
        "198.18.0.1, reserved",
        "::, unspecified",
        "::1, loopback",
        "fe80::1, link-local",
        "fc00::1, private",
        "fdff::1, private",
        "fec0::1, private",
        "ff02::1, multicast",
        "::ffff:127.0.0.1, loopback",
        "::127.0.0.1, loopback",
        "::ffff:a9fe:a9fe, link-local",
        "64:ff9b::10.0.0.1, private",
        "2002:7f00:1::, loopback",
        "2001:db8::1, reserved",
        "3fff::1, reserved",
        "::ffff:0:127.0.0.1, reserved",
        "::ffff:0:10.0.0.1, reserved",
        "::ffff:0:1.1.1.1, reserved",
        "64:ff9b:1::10.0.0.1, reserved",
        "192.88.99.1, reserved",
        "2002:c058:6301::, reserved"
    })
    void nonPublicAddressesAreRefused(String address, String why) throws Exception {
        InetAddress target = InetAddress.getByName(address);
        RefusedException refusal = assertThrows(RefusedException.class, () -> closed.mustAllow(target));
        assertTrue(refusal.getMessage().contains(" is " + why + ";"), refusal.getMessage());
    }

    @ParameterizedTest
    @ValueSource(strings = {"1.1.1.1", "172.32.0.1", "100.128.0.1", "2606:4700::1", "64:ff9b::1.1.1.1", "8.8.8.8"})
    void theOpenInternetIsAllowed(String address) {
        assertDoesNotThrow(() -> closed.mustAllow(InetAddress.getByName(address)));
    }

    @Test
    void onlyAddressesListedByTheOperatorAreAllowed() throws Exception {
        WebhookTargetPolicy open = new WebhookTargetPolicy(List.of("10.1.0.0/16", "fd00:1::/32", "127.0.0.7"));
        assertDoesNotThrow(() -> open.mustAllow(InetAddress.getByName("10.1.255.1")));
        assertDoesNotThrow(() -> open.mustAllow(InetAddress.getByName("::ffff:10.1.2.3")));
        assertDoesNotThrow(() -> open.mustAllow(InetAddress.getByName("fd00:1::5")));
        assertDoesNotThrow(() -> open.mustAllow(InetAddress.getByName("127.0.0.7")));
        for (String other : List.of("10.2.0.1", "fd00:2::5", "127.0.0.8")) {
            InetAddress target = InetAddress.getByName(other);
            assertThrows(RefusedException.class, () -> open.mustAllow(target), other);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"10.0.0.0/33", "10.0.0/8", "example.org", "fd00::/129", "10.0.0.0/x", ""})
    void anInvalidNetworkPreventsTheStart(String text) {
        RefusedException refusal = assertThrows(RefusedException.class, () -> new WebhookTargetPolicy(List.of(text)));
        assertTrue(refusal.getMessage().contains("is not a network"), refusal.getMessage());
    }
}
