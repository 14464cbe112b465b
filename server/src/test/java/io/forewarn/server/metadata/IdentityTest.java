package io.forewarn.server.metadata;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.forewarn.core.RefusedException;
import io.forewarn.core.fleet.FleetSpec;
import io.forewarn.core.rules.FleetRules;
import io.forewarn.core.rules.ServiceTerms;
import io.forewarn.server.identity.IdentitySettings;
import io.forewarn.store.etcd.Ports;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Which machine is asking, over real connections. */
class IdentityTest {
    private static final String SECRET = "change-me";
    private static final String INSTANCE = "/metadata/instance/compute/name?api-version=2017-08-01&format=text";
    private static final String TRUE = "Metadata: true";
    private MetadataHarness harness = new MetadataHarness(MetadataSettings.TEST, ServiceTerms.AZURE, identity());

    /** Of these 127.0.9.2 must say when it signed. */
    private static IdentitySettings identity() {
        return new IdentitySettings(
                Set.of("127.0.9.1", "127.0.9.2", "127.0.0.3"),
                SECRET,
                Set.of("127.0.9.1", "127.0.0.3"),
                Duration.ofMinutes(1));
    }

    @AfterEach
    void stop() {
        harness.close();
    }

    @Test
    void theSourceAddressIsTheMachine() {
        try (RawConnection first = harness.talk("127.0.0.1");
                RawConnection second = harness.talk("127.0.0.2")) {
            assertEquals("web-0", first.get(INSTANCE, TRUE).body());
            assertEquals("web-1", second.get(INSTANCE, TRUE).body());
        }
    }

    @Test
    void anIpv6AddressIsTheMachineHoweverTheFleetSpellsIt() {
        assumeTrue(hasIpv6(), "there is no ::1 here");
        harness.applyFleet(
                new FleetSpec(List.of(), List.of(MetadataHarness.machine("six", null, "0:0:0:0:0:0:0:1", false))),
                false);
        int port = MetadataHarness.await(harness.server.listen("::", 0));
        try (RawConnection six = new RawConnection("::1", port, "::1");
                RawConnection mapped = new RawConnection("127.0.0.1", port, "127.0.0.2")) {
            assertEquals("six", six.get(INSTANCE, TRUE).body());
            assertEquals("web-1", mapped.get(INSTANCE, TRUE).body());
        }
    }

    @Test
    void anAddressThatIsNoneIsAFaultOfTheFleet() {
        FleetSpec spec = new FleetSpec(List.of(), List.of(MetadataHarness.machine("six", null, "six.example", false)));
        RefusedException refusal = assertThrows(RefusedException.class, () -> harness.applyFleet(spec, false));
        assertTrue(refusal.getMessage().contains("six.example"), refusal.getMessage());
    }

    private static boolean hasIpv6() {
        try (ServerSocket socket = new ServerSocket(0, 1, java.net.InetAddress.getByName("::1"))) {
            return socket.isBound();
        } catch (IOException e) {
            return false;
        }
    }

    @Test
    void aProxySpeaksForTheMachineItSigns() {
        try (RawConnection proxy = harness.talk("127.0.9.1")) {
            assertEquals(
                    "web-0",
                    proxy.get(INSTANCE, TRUE, named("web-0"), signed("web-0")).body());
            assertEquals(
                    "lone",
                    proxy.get(INSTANCE, TRUE, named("default/lone"), signed("default/lone"))
                            .body());
            assertEquals(
                    200,
                    proxy.get(INSTANCE, TRUE, "X-Forwarded-For: 10.0.0.7", named("web-0"), signed("web-0"))
                            .status());
        }
    }

    @Test
    void aBadProxySignatureIs403WithoutFallback() throws Exception {
        // This proxy's own address is a machine's: still it is nobody without a signature.
        try (RawConnection proxy = harness.talk("127.0.0.3")) {
            assertEquals(403, proxy.get(INSTANCE, TRUE).status());
            assertEquals(403, proxy.get(INSTANCE, TRUE, named("web-0")).status());
            assertEquals(403, proxy.get(INSTANCE, TRUE, signed("web-0")).status());
            assertEquals(
                    403,
                    proxy.get(INSTANCE, TRUE, named("web-0"), signed("web-1")).status());
            assertEquals(
                    403,
                    proxy.get(INSTANCE, TRUE, named("web-0"), "X-Instance-ID-Signature: zz")
                            .status());
            assertEquals(
                    403,
                    proxy.get(INSTANCE, TRUE, named("web-0"), "X-Instance-ID-Signature: " + mac("web-0", "other"))
                            .status());
            assertEquals(
                    403,
                    proxy.get(INSTANCE, TRUE, named("nobody"), signed("nobody")).status());
            assertEquals(
                    403,
                    proxy.get(INSTANCE, TRUE, named("other/web-0"), signed("other/web-0"))
                            .status());
            assertEquals(
                    "web-2",
                    proxy.get(INSTANCE, TRUE, named("web-2"), signed("web-2")).body());
        }
    }

    /** What docs/identity.md has openssl print for web-0 under the secret change-me. */
    @Test
    void theSignatureIsTheOneThatOpensslMakes() {
        String signature = "01b0924b21786d6d894f02ecb3b1aa46e23b0ce2d2a17f6d6d947999441d5e27";
        try (RawConnection proxy = harness.talk("127.0.9.1")) {
            assertEquals(
                    "web-0",
                    proxy.get(INSTANCE, TRUE, named("web-0"), "X-Instance-ID-Signature: " + signature)
                            .body());
        }
    }

    @Test
    void aSignedHeaderFromAnotherAddressIsIgnored() {
        try (RawConnection machine = harness.talk("127.0.0.1")) {
            assertEquals(
                    "web-0",
                    machine.get(INSTANCE, TRUE, named("lone"), signed("lone")).body());
        }
    }

    @Test
    void oneConnectionOfAProxyCarriesManyMachines() {
        try (RawConnection proxy = harness.talk("127.0.9.1")) {
            for (String name : List.of("web-0", "web-1", "lone", "web-0")) {
                assertEquals(
                        name,
                        proxy.get(INSTANCE, TRUE, named(name), signed(name)).body());
            }
        }
    }

    @Test
    void aMachinesOwnListenerComesAndGoesWithTheFleet() throws IOException {
        int port = Ports.free();
        String listen = "127.0.0.1:" + port;
        harness.applyFleet(
                new FleetSpec(List.of(), List.of(MetadataHarness.machineWithListener("tap", listen))), false);
        assertEquals(List.of(), MetadataHarness.await(harness.server.reconcile()));
        // Whoever calls there is the machine, also from an address that is another's.
        try (RawConnection connection = new RawConnection("127.0.0.1", port, "127.0.0.2")) {
            assertEquals("tap", connection.get(INSTANCE, TRUE).body());
            assertEquals(200, connection.poll("2017-03-01").status());
        }
        assertEquals(List.of(), MetadataHarness.await(harness.server.reconcile()));
        MetadataHarness.await(harness.engine.change(
                state -> FleetRules.remove(state, List.of(new io.forewarn.core.fleet.MachineId("default", "tap"))),
                io.forewarn.core.Actor.SERVICE,
                null));
        assertEquals(List.of(), MetadataHarness.await(harness.server.reconcile()));
        assertThrows(java.io.UncheckedIOException.class, () -> new RawConnection("127.0.0.1", port, "127.0.0.2"));
    }

    @Test
    void aListenerThatCannotBeOpenedIsNamed() throws IOException {
        try (ServerSocket taken = new ServerSocket(0, 1, java.net.InetAddress.getByName("127.0.0.1"))) {
            String listen = "127.0.0.1:" + taken.getLocalPort();
            harness.applyFleet(
                    new FleetSpec(List.of(), List.of(MetadataHarness.machineWithListener("tap", listen))), false);
            List<String> failures = MetadataHarness.await(harness.server.reconcile());
            assertEquals(1, failures.size());
            assertTrue(failures.get(0).contains(listen), failures.get(0));
        }
        assertEquals(List.of(), MetadataHarness.await(harness.server.reconcile()));
    }

    @Test
    void proxiesNeedASecretAndAddresses() {
        assertThrows(IllegalArgumentException.class, () -> settings("10.0.0.1", " ", "10.0.0.1"));
        assertThrows(IllegalArgumentException.class, () -> settings("proxy", "x", "proxy"));
        assertThrows(IllegalArgumentException.class, () -> settings("10.0.0.1", "x", "10.0.0.2"));
        assertTrue(!settings("10.0.0.1", "hush", "10.0.0.1").toString().contains("hush"));
    }

    private static IdentitySettings settings(String proxy, String secret, String untimed) {
        return new IdentitySettings(Set.of(proxy), secret, Set.of(untimed), Duration.ofMinutes(1));
    }

    @Test
    void aSignatureWithATimeAges() throws Exception {
        long now = MetadataHarness.REAL_MILLIS / 1000;
        for (String from : List.of("127.0.9.2", "127.0.9.1")) {
            try (RawConnection proxy = harness.talk(from)) {
                for (long good : new long[] {now, now - 60, now + 60}) {
                    assertEquals(
                            "web-0", timed(proxy, Long.toString(good), "web-0").body());
                }
                for (String bad : List.of(
                        Long.toString(now - 61),
                        Long.toString(now + 61),
                        "",
                        "-1",
                        now + "x",
                        "99999999999999999999")) {
                    assertEquals(403, timed(proxy, bad, "web-0").status(), bad);
                }
                assertEquals(
                        403,
                        proxy.get(INSTANCE, TRUE, named("web-0"), at(now), signed("web-0"))
                                .status(),
                        "the time is not signed");
            }
        }
        try (RawConnection strict = harness.talk("127.0.9.2")) {
            assertEquals(
                    403,
                    strict.get(INSTANCE, TRUE, named("web-0"), signed("web-0")).status(),
                    "this one is not configured to sign without a time");
        }
    }

    @Test
    void aSignedHeaderThatIsThereTwiceIs400() {
        try (RawConnection proxy = harness.talk("127.0.9.1")) {
            assertEquals(
                    400,
                    proxy.get(INSTANCE, TRUE, named("web-0"), named("web-1"), signed("web-0"))
                            .status());
            assertEquals(
                    400,
                    proxy.get(INSTANCE, TRUE, named("web-0"), signed("web-0"), signed("web-0"))
                            .status());
            assertEquals(
                    400,
                    proxy.get(INSTANCE, TRUE, named("web-0"), at(1), at(1), signed("web-0"))
                            .status());
        }
        try (RawConnection machine = harness.talk("127.0.0.1")) {
            assertEquals(
                    "web-0",
                    machine.get(INSTANCE, TRUE, named("web-1"), named("web-2")).body(),
                    "from elsewhere it is not looked at");
        }
    }

    private static RawConnection.Answer timed(RawConnection proxy, String time, String name) throws Exception {
        return proxy.get(
                INSTANCE,
                TRUE,
                named(name),
                "X-Instance-ID-Time: " + time,
                "X-Instance-ID-Signature: " + mac(time + "." + name, SECRET));
    }

    private static String at(long seconds) {
        return "X-Instance-ID-Time: " + seconds;
    }

    private static String named(String name) {
        return "X-Instance-ID: " + name;
    }

    private static String signed(String name) {
        try {
            return "X-Instance-ID-Signature: " + mac(name, SECRET);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String mac(String name, String secret) throws GeneralSecurityException {
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
        return HexFormat.of().formatHex(mac.doFinal(name.getBytes(StandardCharsets.UTF_8)));
    }
}
