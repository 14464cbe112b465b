package io.forewarn.acceptance.release;

import static io.forewarn.core.Eventually.eventually;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.forewarn.acceptance.deploy.DocsPage;
import io.forewarn.acceptance.deploy.InstalledTools;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The Debian packages in a clean Debian with a real systemd. */
// Takes more than 20 s: it builds the release if nobody did, and boots Debian twice.
@Timeout(value = BuiltRelease.MINUTES, unit = TimeUnit.MINUTES)
final class DebianPackageIT {
    private static final String ASK =
            "curl -sf -H Metadata:true 'http://127.0.0.1:8169/metadata/scheduledevents?api-version=2020-07-01'";

    @TempDir
    private Path folder;

    @Test
    void thePackageIsInstalledConfinedUpgradedRemovedAndPurged() throws Exception {
        DebianMachine.needMachines();
        Path deb = BuiltRelease.file("forewarn_", "_amd64.deb");
        Path next = NextRelease.deb(deb, folder);
        try (DebianMachine machine = DebianMachine.boot(folder.resolve("machine"), null)) {
            Files.copy(deb, machine.packages().resolve("forewarn.deb"));
            Files.copy(deb, machine.packages().resolve(deb.getFileName()));
            Files.copy(next, machine.packages().resolve("next.deb"));
            String before = footprint(machine);

            String first = machine.must("cd /packages\n"
                    + DocsPage.blocks("README.md", "sh package").get(0));
            assertTrue(first.strip().endsWith("{\"DocumentIncarnation\":1,\"Events\":[]}"), first);
            isConfined(machine);

            // Root finds the token of the service.
            String restart = machine.must("forewarn vm restart FrontEnd_IN_0");
            assertTrue(restart.contains("FrontEnd_IN_0"), restart);
            machine.must("forewarn rollout start os-1 --type freeze --groups batch");
            String scheduled = ask(machine);
            assertTrue(scheduled.contains("\"EventStatus\":\"Scheduled\""), scheduled);

            machine.must("systemctl restart forewarn");
            keeps(machine, scheduled, BuiltRelease.version());

            machine.reboot();
            keeps(machine, scheduled, BuiltRelease.version());

            machine.must("apt-get install -qq -y /packages/next.deb");
            keeps(machine, scheduled, NextRelease.VERSION);

            machine.must("apt-get install -qq -y --allow-downgrades /packages/forewarn.deb");
            keeps(machine, scheduled, BuiltRelease.version());

            // What a backup is for: the store as it was, in a system that lost it.
            machine.must(DocsPage.blocks("docs/operate.md", "sh operate").get(0));

            machine.must("apt-get remove -qq -y forewarn");
            assertNotEquals(0, machine.run(ASK).exit());
            machine.must("test -e /var/lib/forewarn/store/forewarn.db && test -e /etc/forewarn/forewarn.yaml");
            machine.must("apt-get install -qq -y /packages/forewarn.deb");
            keeps(machine, scheduled, BuiltRelease.version());

            machine.must("apt-get purge -qq -y forewarn");
            assertEquals(before, footprint(machine));

            machine.must("apt-get install -qq -y /packages/forewarn.deb");
            machine.must(DocsPage.blocks("docs/operate.md", "sh operate").get(1));
            keeps(machine, scheduled, BuiltRelease.version());
        }
    }

    private static String ask(DebianMachine machine) throws Exception {
        String[] answer = new String[1];
        eventually(() -> journal(machine), () -> {
            Output output = machine.run(ASK);
            answer[0] = output.text();
            return output.exit() == 0;
        });
        return answer[0];
    }

    private static String journal(DebianMachine machine) {
        try {
            return machine.run("systemctl status forewarn --no-pager; journalctl -u forewarn --no-pager")
                    .text();
        } catch (Exception e) {
            return e.toString();
        }
    }

    /** The same event with no less notice, the same rollout, and the version that is installed now. */
    private static void keeps(DebianMachine machine, String scheduled, String version) throws Exception {
        String now = ask(machine);
        assertEquals(id(scheduled), id(now));
        assertTrue(now.contains("\"EventStatus\":\"Scheduled\""), now);
        assertTrue(machine.must("forewarn rollout show os-1 --json").contains("\"name\":\"os-1\""));
        assertTrue(machine.must("forewarn status --json").contains("\"" + version + "\""), version);
    }

    private static String id(String document) {
        Matcher id = Pattern.compile("[0-9A-F]{8}-[0-9A-F-]{27}").matcher(document);
        assertTrue(id.find(), document);
        return id.group();
    }

    private static void isConfined(DebianMachine machine) throws Exception {
        String pid = machine.must("systemctl show -p MainPID --value forewarn").strip();
        String status = machine.must("cat /proc/" + pid + "/status");
        for (String line :
                List.of("CapEff:\t0000000000000400", "CapBnd:\t0000000000000400", "NoNewPrivs:\t1", "Seccomp:\t2")) {
            assertTrue(status.contains(line + "\n"), status);
        }
        assertEquals("forewarn", machine.must("stat -c %U /proc/" + pid).strip());
        // As the service sees them: nothing is writable but its own folder, and nobody's home is there.
        String mounts = machine.must("cat /proc/" + pid + "/mounts");
        assertTrue(Pattern.compile("(?m)^\\S+ / \\S+ ro,").matcher(mounts).find(), mounts);
        assertTrue(
                Pattern.compile("(?m)^\\S+ /var/lib/forewarn \\S+ rw,")
                        .matcher(mounts)
                        .find(),
                mounts);
        assertEquals("", machine.must("ls /proc/" + pid + "/root/root").strip());
        String listeners = machine.must("ss -Hltn");
        assertFalse(listeners.contains("0.0.0.0") || listeners.contains("*:81"), listeners);
        assertTrue(listeners.contains("127.0.0.1]:8169") || listeners.contains("127.0.0.1:8169"), listeners);
    }

    /** What the system has of the package, by name: files, users. */
    private static String footprint(DebianMachine machine) throws Exception {
        return machine.must(
                "find / -xdev -path /packages -prune -o -name '*forewarn*' -print | grep -v '^/proc\\|^/sys\\|^/var/backups/' || true;"
                        + " getent passwd forewarn || true; getent group forewarn || true; systemctl list-unit-files 'forewarn*' --no-legend || true");
    }

    @Test
    void thePackageForAnyArchitectureRunsOnTheDistributionsJava() throws Exception {
        DebianMachine.needMachines();
        Path java = BuiltRelease.jdk("17");
        Path deb = BuiltRelease.file("forewarn_", "_all.deb");
        String depends =
                Output.of(folder, "dpkg-deb", "-f", deb.toString(), "Depends").must();
        assertTrue(depends.contains("default-jre-headless (>= 2:1.17) | java17-runtime-headless"), depends);
        String jars = Output.of(folder, "bash", "-c", "dpkg-deb -c " + deb).must();
        assertTrue(jars.contains("linux-x86_64.jar") && jars.contains("linux-aarch_64.jar"), jars);
        try (DebianMachine machine = DebianMachine.boot(folder.resolve("machine"), null)) {
            Files.copy(deb, machine.packages().resolve("forewarn.deb"));
            // The distribution's Java without its download: this machine's, under its own name.
            Output.of(
                            folder,
                            "bash",
                            "-c",
                            "cp -rL $0 $1 2>/dev/null; test -x $1/bin/java",
                            java.toString(),
                            machine.packages().resolve("java-17").toString())
                    .must();
            machine.must("mkdir -p /usr/lib/jvm; cp -r /packages/java-17 /usr/lib/jvm/java-17-openjdk-amd64;"
                    + " dpkg -i --force-depends /packages/forewarn.deb");
            assertEquals("{\"DocumentIncarnation\":1,\"Events\":[]}", ask(machine));
            isConfined(machine);

            // An update of Java: another folder, another version.
            machine.must(
                    "mv /usr/lib/jvm/java-17-openjdk-amd64 /usr/lib/jvm/java-17.0.99; sed -i 's/^JAVA_VERSION=.*/JAVA_VERSION=\"17.0.99\"/' /usr/lib/jvm/java-17.0.99/release;"
                            + " systemctl restart forewarn");
            assertEquals("{\"DocumentIncarnation\":1,\"Events\":[]}", ask(machine));
        }
    }

    @Test
    void lintianHasNothingToSay() throws Exception {
        InstalledTools.need("lintian");
        for (String architecture : List.of("_all.deb", "_amd64.deb")) {
            Output said = Output.of(
                    folder,
                    "lintian",
                    "--display-info",
                    "--pedantic",
                    "--fail-on",
                    "error,warning,info,pedantic",
                    BuiltRelease.file("forewarn_", architecture).toString());
            assertEquals("", said.text().replaceAll("(?m)^running with root privileges.*\\n?", ""));
            assertEquals(0, said.exit());
        }
    }
}
