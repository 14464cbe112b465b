package io.forewarn.acceptance.deploy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.forewarn.acceptance.release.BuiltRelease;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Does what {@code docs/deploy.md} prints, command by command, and looks at the result from all sides. */
// Takes more than 20 s: it builds the release if nobody did.
class DeployIT {
    private static final String PAGE = "docs/deploy.md";
    /** What a kernel must be able to do. */
    private static final String PROBE = "mount -t tmpfs tmpfs /run; ip link add name probe0 type bridge; "
            + "ip link add name probe1 type veth peer name probe2; nft add table bridge probe; nft add table inet probe";

    private static final int TIMED_OUT = 28;
    private static final int REFUSED = 7;

    private static NamespaceHost namespaceHost;

    // Not before all: a class that is skipped as a whole is missing from the reports.
    @BeforeEach
    @Timeout(value = BuiltRelease.MINUTES, unit = TimeUnit.MINUTES)
    void onAHost() throws Exception {
        if (namespaceHost == null) {
            canPlayHost();
            deploy();
        }
    }

    private static void canPlayHost() throws Exception {
        assumeTrue("root".equals(System.getProperty("user.name")), "network namespaces need root");
        InstalledTools.need(
                "unshare", "ip", "nft", "dnsmasq", "dhclient", "setpriv", "curl", "python3", "ss", "pgrep", "apt-get");
        Process probe = new ProcessBuilder("unshare", "--mount", "--net", "--pid", "--fork", "sh", "-ec", PROBE)
                .redirectErrorStream(true)
                .start();
        String lack = new String(probe.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        assumeTrue(probe.waitFor() == 0, () -> "this machine cannot play a host with a bridge: " + lack);
    }

    private static void deploy() throws Exception {
        NamespaceHost deployed = new NamespaceHost(BuiltRelease.file("forewarn_", "_amd64.deb"));
        try {
            follow(deployed);
        } catch (Exception | AssertionError e) {
            deployed.close();
            throw e;
        }
        namespaceHost = deployed;
    }

    /** Runs what the page prints, and waits until the service is there. */
    private static void follow(NamespaceHost namespaceHost) throws IOException {
        for (DocsPage.Block block : DocsPage.blocks(PAGE)) {
            switch (block.kind()) {
                case "sh on-host" -> namespaceHost.must("host", block.text());
                case "sh in-background" -> namespaceHost.begin(block.text());
                case "sh as-operator", "sh in-machine", "sh with-systemd" -> {}
                default -> throw new AssertionError(PAGE + " has a block for nobody: " + block.kind());
            }
        }
        for (String machine : List.of("web_0", "web_1")) {
            namespaceHost.must(
                    machine, "dhclient -1 -v -pf $ROOM/" + machine + ".pid -lf $ROOM/" + machine + ".lease eth0");
        }
        namespaceHost.must(
                "host",
                "for i in $(seq 600); do ss -Hltn | grep -q '169.254.169.254[]]*:80 ' && exit 0; sleep 0.1; done; "
                        + "cat $ROOM/background; exit 1");
    }

    @AfterAll
    static void leave() throws IOException {
        if (namespaceHost != null) {
            namespaceHost.close();
        }
    }

    @Test
    void everyMachineReachesTheServiceAndIsItself() throws Exception {
        for (String machine : List.of("web_0", "web_1")) {
            assertEquals("{\"DocumentIncarnation\":1,\"Events\":[]}" + machine, asMachine(machine));
        }
    }

    @Test
    void aMachineWithABorrowedAddressIsNotAnswered() throws Exception {
        long before = dropped("bridge", "ip daddr 169.254.169.254");

        namespaceHost.must("web_0", "ip address add 10.20.0.11/32 dev eth0");
        try {
            assertEquals(TIMED_OUT, ask("web_0", "--interface 10.20.0.11 http://169.254.169.254/metadata/versions"));
        } finally {
            namespaceHost.must("web_0", "ip address del 10.20.0.11/32 dev eth0");
        }

        assertTrue(dropped("bridge", "ip daddr 169.254.169.254") > before);
    }

    @Test
    void tagsDoNotHideABorrowedAddress() throws Exception {
        for (String tags :
                List.of("", "81000000", "8100000081000000", "88a8000081000000", "810000008100000081000000")) {
            String both = "ip daddr 169.254.169.254|meta protocol";
            long before = dropped("bridge", both);
            String bridge = namespaceHost
                    .must("host", "ip -o link show br-vm | sed 's/.*ether \\([^ ]*\\).*/\\1/'")
                    .strip();

            namespaceHost.must(
                    "web_0",
                    "cat > $ROOM/frame.py <<'EOF'\n" + resource("frame.py") + "\nEOF\n"
                            + "/usr/bin/env python3 $ROOM/frame.py " + bridge + " 10.20.0.11 '" + tags + "'");

            assertEquals(before + 1, dropped("bridge", both), () -> "tags " + tags);
        }
    }

    @Test
    void aMachineCannotSpeakAsTheService() throws Exception {
        String rules = "ip saddr 169.254.169.254|arp saddr ip";
        long before = dropped("bridge", rules);

        namespaceHost.must("web_0", "ip address add 169.254.169.254/32 dev eth0");
        try {
            assertNotEquals(0, ask("web_0", "--interface 169.254.169.254 http://10.20.0.11/"));
        } finally {
            namespaceHost.must("web_0", "ip address del 169.254.169.254/32 dev eth0");
        }

        assertTrue(dropped("bridge", rules) > before);
    }

    @Test
    void otherNetworksCannotReachTheService() throws Exception {
        long before = dropped("inet", "ip daddr 169.254.169.254 iifname");

        assertEquals(TIMED_OUT, ask("outside", "http://169.254.169.254/metadata/versions"));

        assertTrue(dropped("inet", "ip daddr 169.254.169.254 iifname") > before);
    }

    @Test
    void machinesDoNotReachTheControlApi() throws Exception {
        assertEquals(0, ask("host", "--fail http://127.0.0.1:8170/healthz"));
        assertEquals(REFUSED, ask("web_0", "http://10.20.0.1:8170/healthz"));
        assertEquals(TIMED_OUT, ask("web_0", "http://169.254.169.254:8170/healthz"));
    }

    @Test
    void theOperatorsCommandFindsItsToken() throws Exception {
        namespaceHost.must("host", DocsPage.blocks(PAGE, "sh as-operator").get(0));
    }

    @Test
    void aDhcpClientReceivesTheAddressInOption245() throws Exception {
        String lease = namespaceHost.must("host", "cat $ROOM/web_0.lease");

        assertTrue(lease.contains("option unknown-245 a9:fe:a9:fe;"), lease);
        assertTrue(lease.contains("fixed-address 10.20.0.10;"), lease);
    }

    @Test
    void theServiceIsNotRootAndHasOneRight() throws Exception {
        String status = namespaceHost.must("host", "cat /proc/$(pgrep -n -u forewarn java)/status");

        for (String set : List.of("CapPrm", "CapEff", "CapBnd", "CapAmb")) {
            // Bit 10 is CAP_NET_BIND_SERVICE.
            assertTrue(status.contains(set + ":\t0000000000000400\n"), status);
        }
    }

    @Test
    void theUnitStartsWhatTheLineWithoutSystemdStarts() throws Exception {
        String unit = namespaceHost
                .must("host", "sed -n 's/^ExecStart=//p' /lib/systemd/system/forewarn.service")
                .strip();
        String line = DocsPage.blocks(PAGE, "sh in-background").get(0);

        assertTrue(line.strip().endsWith(unit), () -> line + "\ndoes not end with\n" + unit);
    }

    @Test
    void systemdUnderstandsTheUnit() throws Exception {
        InstalledTools.need("systemd-analyze");

        NamespaceHost.Ran ran =
                namespaceHost.run("host", "systemd-analyze verify /lib/systemd/system/forewarn.service");

        assertTrue(ran.said().lines().noneMatch(line -> line.contains("forewarn.service")), ran::said);
    }

    private static String asMachine(String machine) throws IOException {
        return namespaceHost
                .must(machine, DocsPage.blocks(PAGE, "sh in-machine").get(0))
                .replace("\n", "");
    }

    /** How curl ended. */
    private static int ask(String where, String arguments) throws IOException {
        return namespaceHost
                .run(where, "curl -s -o /dev/null -m 2 -H Metadata:true " + arguments)
                .exit();
    }

    /** How many packets the rules that look like this turned away. */
    private static long dropped(String family, String rules) throws IOException {
        String table = namespaceHost.must("host", "nft list table " + family + " forewarn");
        Matcher counters = Pattern.compile("^\\s*(?:" + rules + ").* counter packets (\\d+) ", Pattern.MULTILINE)
                .matcher(table);
        long sum = 0;
        boolean found = false;
        while (counters.find()) {
            sum += Long.parseLong(counters.group(1));
            found = true;
        }
        assertTrue(found, () -> "no rule like " + rules + " in\n" + table);
        return sum;
    }

    private static String resource(String name) throws IOException {
        try (var in = DeployIT.class.getResourceAsStream(name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
