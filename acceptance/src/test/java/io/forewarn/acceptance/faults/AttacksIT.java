package io.forewarn.acceptance.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.forewarn.acceptance.deploy.InstalledTools;
import io.forewarn.bench.BenchSetup;
import io.forewarn.bench.attack.Attack;
import io.forewarn.bench.attack.AttackFinding;
import io.forewarn.bench.attack.AttackRunner;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** Every attack of {@code bench/attacks}, in small. */
// Takes more than 20 s: each attack has a server of its own.
final class AttacksIT {
    @TempDir
    Path folder;

    @TestFactory
    Stream<DynamicTest> everyAttackIsWithstood() {
        return AttackRunner.ALL.stream().map(attack -> DynamicTest.dynamicTest(attack.name(), () -> withstood(attack)));
    }

    private void withstood(Attack attack) throws Exception {
        Path work = Files.createDirectories(folder.resolve(attack.name()));
        List<AttackFinding> findings = AttackRunner.run(
                attack, new BenchSetup(work, InstalledTools.project().resolve("forewarn"), null, true));
        assertFalse(findings.isEmpty(), "an attack that puts nothing to the test");
        assertEquals(
                List.of(), findings.stream().filter(finding -> !finding.held()).toList(), attack.tried(true));
    }
}
