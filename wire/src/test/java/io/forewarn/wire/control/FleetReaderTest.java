package io.forewarn.wire.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.forewarn.core.Problem;
import io.forewarn.core.RefusedException;
import io.forewarn.core.fleet.FleetSpec;
import io.forewarn.core.fleet.FleetSpec.GroupSpec;
import io.forewarn.core.fleet.FleetSpec.MachineSpec;
import io.forewarn.core.fleet.GroupId;
import io.forewarn.core.fleet.GroupKind;
import io.forewarn.core.fleet.MachineId;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class FleetReaderTest {
    private static final MachineSpec WHOLE = new MachineSpec(
            4,
            new MachineId("shop", "a"),
            new GroupId("shop", "web"),
            1,
            0,
            "host-1",
            List.of("127.0.0.1", "::1"),
            "127.0.0.1:9000",
            true,
            Map.of("env", "demo", "rev", "1"));

    @Test
    void aFileWithoutEndIsNotReadToItsEnd() {
        InputStream endless = new InputStream() {
            private final byte[] line = "{\"machine\":{\"name\":\"a\"}}\n".getBytes(StandardCharsets.UTF_8);
            private int at;

            @Override
            public int read() {
                return line[at++ % line.length];
            }
        };
        RefusedException refusal =
                assertThrows(RefusedException.class, () -> FleetReader.read(endless, "default", 1000, bytes -> {}));
        assertEquals(Problem.TOO_LARGE, refusal.problem());
    }

    @Test
    void aLineOfYamlHasAnEnd() throws IOException {
        String wide = "x".repeat(FleetReader.LONGEST_LINE);
        List<String> files = List.of(
                "machines:\n  - {name: " + wide + "}\n",
                "machines:\n  - {name: \"" + wide + "\"}\n",
                "machines: []\n#" + wide + "\n",
                "machines:\n" + " ".repeat(FleetReader.LONGEST_LINE + 1) + "[]\n",
                "%YAML 1." + "1".repeat(FleetReader.LONGEST_LINE) + "\n---\nmachines: []\n",
                "machines: \n !<" + wide + "> []\n",
                "machines: \n &" + wide + " []\n",
                "machines: \n [" + "{name: a}, ".repeat(FleetReader.LONGEST_LINE / 8) + "]\n");
        for (String file : files) {
            RefusedException refusal = assertThrows(RefusedException.class, () -> read(file));
            assertEquals(Problem.BAD_INPUT, refusal.problem());
            assertTrue(refusal.getMessage().contains("is longer than 65536 bytes"), refusal.getMessage());
        }
        String longest = "machines:\n  - {name: a}\n#" + "x".repeat(FleetReader.LONGEST_LINE - 1);
        assertEquals(1, read(longest).machines().size());
        assertEquals(2, read(longest + "\n  - {name: b}\n").machines().size());
    }

    @Test
    void aLongLineIsReadToItsFirst64KibOnly() {
        InputStream endless = new InputStream() {
            private final byte[] begin = "machines: # ".getBytes(StandardCharsets.UTF_8);
            private int at;

            @Override
            public int read() {
                assertTrue(at < 4 * FleetReader.LONGEST_LINE, "it goes on reading");
                return at < begin.length ? begin[at++] : 'x' + (at++ & 0);
            }
        };
        RefusedException refusal = assertThrows(RefusedException.class, () -> FleetReader.read(endless, "default"));
        assertTrue(refusal.getMessage().startsWith("line 1: is longer than"), refusal.getMessage());
    }

    @Test
    void jsonGoesToTheJsonReaderWhateverStandsBeforeIt() throws IOException {
        String machines = "{\"machines\":["
                + IntStream.range(0, 10_000)
                        .mapToObj(i -> "{\"name\":\"m" + i + "\"}")
                        .collect(Collectors.joining(","))
                + "]}";
        assertTrue(machines.length() > 2 * FleetReader.LONGEST_LINE);
        for (String before : List.of("", "\uFEFF", "\uFEFF \n", " ".repeat(5000), "\n".repeat(60_000))) {
            assertEquals(10_000, read(before + machines).machines().size());
        }
    }

    @Test
    void nestingIsBoundedInYamlAndJson() {
        for (String file : List.of(
                "machines: [\n" + " [\n".repeat(1_000_000),
                "{\"machines\":" + "[".repeat(1_000_000),
                "machines:\n  " + "- ".repeat(30_000),
                "machines:\n - {name: a, " + "b: {".repeat(10_000),
                "{\"machines\":[{\"tags\":" + "{\"a\":".repeat(1_000_000))) {
            RefusedException refusal = assertThrows(RefusedException.class, () -> read(file));
            assertTrue(refusal.getMessage().contains("nested too deeply"), refusal.getMessage());
        }
    }

    /** Each alias would stand for nine of the one before: a billion machines in a file of ten lines. */
    @Test
    void anAliasStandsForNothing() {
        StringBuilder file = new StringBuilder("machines:\n - &a0 {name: a}\n");
        for (int i = 1; i < 10; i++) {
            file.append(" - &a" + i + " [" + ("*a" + (i - 1) + ", ").repeat(9) + "]\n");
        }
        RefusedException refusal = assertThrows(RefusedException.class, () -> read(file.toString()));
        assertEquals(9, refusal.getMessage().lines().count(), refusal.getMessage());
    }

    @Test
    void anEmptyFileIsNoFleet() {
        for (String empty : List.of("", "\n", "# nothing yet\n", "---\n")) {
            RefusedException refusal = assertThrows(
                    RefusedException.class,
                    () -> FleetReader.read(
                            new ByteArrayInputStream(empty.getBytes(StandardCharsets.UTF_8)), "default"));
            assertTrue(refusal.getMessage().contains("empty"), refusal.getMessage());
        }
    }

    @Test
    void aSingleBodyHasNoLines() {
        RefusedException refusal = assertThrows(
                RefusedException.class,
                () -> FleetReader.readOne(
                        "machine", "default", "a", "{\"grup\":\"x\"}".getBytes(StandardCharsets.UTF_8)));
        assertTrue(refusal.getMessage().startsWith("unknown key 'grup'"), refusal.getMessage());
    }

    @Test
    void theYamlOfTheDesignIsRead() throws IOException {
        FleetSpec spec = read("""
                groups:
                  - {name: web, tenant: shop, kind: availability-set, update-domains: 5, fault-domains: 2}
                machines:
                  - {name: a, tenant: shop, group: web, update-domain: 1, fault-domain: 0, host: host-1, addresses: [127.0.0.1, "::1"], listen: "127.0.0.1:9000", spot: true, tags: {env: demo, rev: 1}}
                  - name: alone
                """);
        assertEquals(
                List.of(new GroupSpec(2, new GroupId("shop", "web"), GroupKind.AVAILABILITY_SET, 5, 2)), spec.groups());
        assertEquals(WHOLE, spec.machines().get(0));
        MachineSpec alone = spec.machines().get(1);
        assertEquals(new MachineId("default", "alone"), alone.id());
        assertEquals(5, alone.line());
        assertNull(alone.group());
        assertNull(alone.updateDomain());
    }

    @Test
    void jsonLinesSayTheSame() throws IOException {
        FleetSpec spec = read("""
                {"group":{"name":"web","tenant":"shop","kind":"availability-set","updateDomains":5,"fault-domains":2}}


                {"machine":{"name":"a","tenant":"shop","group":"web","update-domain":1,"faultDomain":0,"host":"host-1","addresses":["127.0.0.1","::1"],"listen":"127.0.0.1:9000","spot":true,"tags":{"env":"demo","rev":"1"}}}
                """);
        assertEquals(
                List.of(new GroupSpec(1, new GroupId("shop", "web"), GroupKind.AVAILABILITY_SET, 5, 2)), spec.groups());
        assertEquals(List.of(WHOLE), spec.machines());
    }

    @Test
    void allProblemsAreReportedWithTheirLines() {
        assertEquals(
                List.of(
                        "line 2: unknown key 'knd'; did you mean 'kind'?",
                        "line 3: unknown kind 'availability-sets'; did you mean 'availability-set'?",
                        "line 4: a group has no 'name'",
                        "line 6: 'update-domain' must be a whole number from 0 to 1000",
                        "line 6: 'spot' must be true or false",
                        "line 7: 'addresses' must be a list, as in [10.0.0.4]",
                        "line 8: 'name' is given twice",
                        "line 9: an item of 'machines' must have keys, as in {name: …}",
                        "line 10: unknown key 'machine-s'; did you mean 'machines'?"),
                faults("""
                        groups:
                          - {name: web, knd: single}
                          - {name: web, kind: availability-sets}
                          - {kind: single}
                        machines:
                          - {name: a, update-domain: one, spot: maybe}
                          - {name: b, addresses: 10.0.0.4}
                          - {name: c, name: d}
                          - e
                        machine-s: []
                        """));
    }

    @Test
    void syntaxErrorsHaveALineNumber() {
        assertTrue(faults("groups:\n  - {name: web").get(0).startsWith("line "));
        assertTrue(faults("{\"group\":{\"name\":").get(0).startsWith("line 1: cannot be read"));
        assertEquals(List.of("line 1: expected 'groups' and 'machines'"), faults("- a\n- b\n"));
    }

    @Test
    void anEmptyFileIsAnEmptyFleet() throws IOException {
        assertEquals(new FleetSpec(List.of(), List.of()), read("machines: []\n"));
        assertEquals(new FleetSpec(List.of(), List.of()), read("# nothing\ngroups:\nmachines: []\n"));
    }

    @Test
    void aliasesAreNotReadAndDepthIsBounded() {
        assertTrue(
                faults("machines:\n  - {name: &n a}\n  - {name: *n}\n").get(0).contains("aliases"));
        assertTrue(faults("{\"machine\":" + "[".repeat(2000)).get(0).contains("cannot be read"));
    }

    @Test
    void aHundredProblemsAreReportedAndTheRestOfTheFileIsNotRead() {
        List<String> told = faults("machines:\n" + "  - {nam: x}\n".repeat(300));
        assertEquals(101, told.size());
        assertEquals("what follows was not read: too much is wrong", told.get(100));
    }

    /** Each of these says nothing that could be kept; reading them to their end costs as much as reading a large fleet. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "? a\n",
                "- &a%d x\n",
                "- &a%d {name: a}\n",
                "---\n",
                "--- {}\n",
                "machines:\n- [~, ~, ~, ~, ~, ~, ~, ~, ~, ~]\n",
                "{\"machine\":{\"tags\":{}}}\n",
                "{}\n",
            })
    void aFileThatSaysNothingIsGivenUpEarly(String line) {
        assertGivenUp("", line);
    }

    @Test
    void refusedFilesAreNotReadToTheirEnd() {
        assertGivenUp("other:\n", "- a\n");
        assertGivenUp("machines:\n- name: a\n  tags:\n", "    a%d: b\n");
        assertGivenUp("machines:\n- name: a\n  addresses:\n", "  - 10.0.0.1\n");
        assertGivenUp("{\"machine\":{\"nam\":[", "1,\n");
    }

    private static void assertGivenUp(String first, String line) {
        StringBuilder file = new StringBuilder(first);
        for (int i = 0; i < 200_000; i++) {
            file.append(line.formatted(i));
        }
        ByteArrayInputStream in = new ByteArrayInputStream(file.toString().getBytes(StandardCharsets.UTF_8));
        assertThrows(RefusedException.class, () -> FleetReader.read(in, "default"));
        int taken = file.length() - in.available();
        assertTrue(taken < file.length() / 2, taken + " of " + file.length() + " bytes were read");
    }

    @Test
    void aMachineWithAllItMayHaveIsRead() throws IOException {
        StringBuilder file = new StringBuilder("machines:\n");
        for (int machine = 0; machine < 100; machine++) {
            file.append("- name: m").append(machine).append("\n  addresses:\n");
            for (int i = 0; i < 64; i++) {
                file.append("  - 10.0.").append(machine).append('.').append(i).append('\n');
            }
            file.append("  tags:\n");
            for (int i = 0; i < 64; i++) {
                file.append("    t").append(i).append(": v\n");
            }
        }
        assertEquals(100, read(file.toString()).machines().size());
    }

    @Test
    void aBodyGetsItsNameFromThePath() throws IOException {
        byte[] body = "{\"group\":\"web\",\"updateDomain\":3}".getBytes(StandardCharsets.UTF_8);
        MachineSpec machine =
                FleetReader.readOne("machine", "shop", "a", body).machines().get(0);
        assertEquals(new MachineId("shop", "a"), machine.id());
        assertEquals(3, machine.updateDomain());
        assertEquals(
                1,
                FleetReader.readOne("group", "shop", "g", new byte[0]).groups().size());
        byte[] list = "[1]".getBytes(StandardCharsets.UTF_8);
        assertThrows(RefusedException.class, () -> FleetReader.readOne("machine", "shop", "a", list));
    }

    @Test
    void aMillionMachinesAreReadAsAStream() throws IOException {
        try (InputStream lines = new Lines(1_000_000)) {
            FleetSpec spec = FleetReader.read(lines, "default");
            assertEquals(1_000_000, spec.machines().size());
            assertEquals("m999999", spec.machines().get(999_999).id().name());
        }
    }

    /** A file too big to be written down here. */
    private static final class Lines extends InputStream {
        private final int count;
        private int next;
        private byte[] line = new byte[0];
        private int at;

        Lines(int count) {
            this.count = count;
        }

        @Override
        public int read() {
            if (at == line.length) {
                if (next == count) {
                    return -1;
                }
                line = ("{\"machine\":{\"name\":\"m" + next + "\",\"group\":\"g" + next / 100 + "\"}}\n")
                        .getBytes(StandardCharsets.US_ASCII);
                next++;
                at = 0;
            }
            return line[at++];
        }
    }

    private static List<String> faults(String file) {
        RefusedException refusal = assertThrows(RefusedException.class, () -> read(file));
        assertEquals(Problem.BAD_INPUT, refusal.problem());
        return refusal.getMessage().lines().toList();
    }

    private static FleetSpec read(String file) throws IOException {
        return FleetReader.read(new ByteArrayInputStream(file.getBytes(StandardCharsets.UTF_8)), "default");
    }
}
