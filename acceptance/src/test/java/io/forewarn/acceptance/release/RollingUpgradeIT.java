package io.forewarn.acceptance.release;

import static io.forewarn.core.Eventually.eventually;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.forewarn.acceptance.deploy.InstalledTools;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Three nodes on three Debian systems get a higher version by its package, one after the other, while a machine polls. */
// Takes more than 20 s: it boots three systems and upgrades each of them.
@Timeout(value = BuiltRelease.MINUTES, unit = TimeUnit.MINUTES)
final class RollingUpgradeIT {
    @TempDir
    private Path folder;

    @Test
    void noPollIsMissedByAClientThatTriesTheNextNode() throws Exception {
        DebianMachine.needMachines();
        InstalledTools.need("etcd", "curl");
        Path deb = BuiltRelease.file("forewarn_", "_amd64.deb");
        Path next = NextRelease.deb(deb, folder);
        Process etcd = null;
        Process client = null;
        List<DebianMachine> machines = new ArrayList<>();
        try (NetworkNamespace network = new NetworkNamespace()) {
            try {
                etcd = network.start(
                        folder.resolve("etcd.log"),
                        "etcd",
                        "--data-dir",
                        folder.resolve("etcd").toString(),
                        "--listen-client-urls",
                        "http://127.0.0.1:2379",
                        "--advertise-client-urls",
                        "http://127.0.0.1:2379");
                for (int n = 1; n <= 3; n++) {
                    DebianMachine machine = DebianMachine.boot(folder.resolve("machine-" + n), network);
                    machines.add(machine);
                    Files.copy(deb, machine.packages().resolve("forewarn.deb"));
                    Files.copy(next, machine.packages().resolve("next.deb"));
                    machine.must("cat > /etc/default/forewarn <<'E'\n"
                            + "FOREWARN_STORE_LOCATION=etcd:http://127.0.0.1:2379\n"
                            + "FOREWARN_LISTEN_METADATA=127.0.0.1" + n + ":8169\n"
                            + "FOREWARN_LISTEN_CONTROL=127.0.0.1" + n + ":8170\n"
                            + "FOREWARN_JAVA_OPTS=-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Xmx128m\nE\n"
                            + "apt-get install -qq -y /packages/forewarn.deb");
                }
                for (int n = 1; n <= 3; n++) {
                    ready(machines.get(n - 1), n);
                }
                // The first poll enables the group.
                machines.get(0)
                        .must(
                                "curl -sf --interface 127.0.0.1 -H Metadata:true 'http://127.0.0.11:8169/metadata/scheduledevents?api-version=2020-07-01'");
                machines.get(0).must("forewarn vm restart FrontEnd_IN_0 --url http://127.0.0.11:8170 --notice 2h");
                machines.get(0)
                        .must("forewarn rollout start os-1 --type freeze --groups batch --url http://127.0.0.11:8170");

                Path script = folder.resolve("client.sh");
                try (var in = RollingUpgradeIT.class.getResourceAsStream("client.sh")) {
                    Files.copy(in, script);
                }
                Path polls = folder.resolve("polls");
                client = network.start(polls, "bash", script.toString());
                awaitPolls(polls, 1);

                for (int n = 1; n <= 3; n++) {
                    machines.get(n - 1).must("apt-get install -qq -y /packages/next.deb");
                    ready(machines.get(n - 1), n);
                    awaitPolls(polls, Files.readAllLines(polls).size() + 5);
                }

                List<String> all = Files.readAllLines(polls);
                assertEquals(
                        List.of(),
                        all.stream()
                                .filter(l -> !l.matches("scheduled 127\\.0\\.0\\.1[123]"))
                                .toList());
                assertTrue(
                        all.stream().distinct().count() > 1, "the client never had to try another node: " + all.size());
                String status = machines.get(2).must("forewarn status --json --url http://127.0.0.13:8170");
                // The one that answers, and each of the nodes.
                assertEquals(4, status.split("\"version\":\"" + NextRelease.VERSION + "\"", -1).length - 1, status);
                assertTrue(machines.get(1)
                        .must("forewarn rollout list --url http://127.0.0.12:8170")
                        .contains("os-1"));
            } finally {
                for (Process process : new Process[] {client, etcd}) {
                    if (process != null) {
                        process.descendants().forEach(ProcessHandle::destroyForcibly);
                        process.destroyForcibly().onExit().join();
                    }
                }
                for (DebianMachine machine : machines) {
                    machine.close();
                }
            }
        }
    }

    private static void ready(DebianMachine machine, int n) {
        eventually(
                () -> journal(machine),
                () -> machine.run("curl -sf http://127.0.0.1" + n + ":8170/readyz")
                                .exit()
                        == 0);
    }

    private static String journal(DebianMachine machine) {
        try {
            return machine.run("systemctl status forewarn --no-pager; journalctl -u forewarn --no-pager")
                    .text();
        } catch (Exception e) {
            return e.toString();
        }
    }

    private static void awaitPolls(Path polls, int count) {
        eventually(
                () -> "the client does not poll",
                () -> Files.readAllLines(polls).size() >= count);
    }
}
