package io.forewarn.acceptance.console;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.forewarn.acceptance.deploy.InstalledTools;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The types that the modules of the console state in their comments fit together, wherever Node is installed. */
final class ConsoleTypesIT {
    private static final String OPTIONS = """
            {"compilerOptions": {"allowJs": true, "checkJs": true, "noEmit": true, "strict": true, "target": "es2022",
             "module": "esnext", "moduleResolution": "bundler", "lib": ["es2023", "dom", "dom.iterable"], "types": [],
             "skipLibCheck": true}, "include": ["web/**/*.js"]}
            """;

    @TempDir
    private Path folder;

    private int run(String... command) throws IOException, InterruptedException {
        return new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("output").toFile())
                .start()
                .waitFor();
    }

    private static boolean installed(String program) {
        return Arrays.stream(System.getenv("PATH").split(File.pathSeparator))
                .anyMatch(place -> Files.isExecutable(Path.of(place, program)));
    }

    @Test
    void theTypesFitTogether() throws Exception {
        assumeTrue(installed("npm"), "npm is not installed (Debian package npm)");
        Files.writeString(folder.resolve("package.json"), "{\"private\": true}");
        int fetched = run(
                "npm",
                "install",
                "--no-audit",
                "--no-fund",
                "--ignore-scripts",
                "--prefer-offline",
                "typescript@5.9.3",
                "lit@3.3.1",
                "echarts@6.0.0");
        assumeTrue(fetched == 0, "the compiler cannot be fetched from the npm registry");
        copy(InstalledTools.project().resolve("console/src/main/resources/io/forewarn/console/web"));
        Files.writeString(folder.resolve("tsconfig.json"), OPTIONS);
        assertEquals(0, run("node", "node_modules/typescript/bin/tsc", "-p", "."), () -> output());
    }

    private String output() {
        try {
            return Files.readString(folder.resolve("output"));
        } catch (IOException unreadable) {
            return unreadable.toString();
        }
    }

    private void copy(Path from) throws IOException {
        List<Path> files;
        try (Stream<Path> all = Files.walk(from)) {
            files = all.filter(Files::isRegularFile).toList();
        }
        for (Path file : files) {
            Path to = folder.resolve("web").resolve(from.relativize(file));
            Files.createDirectories(to.getParent());
            Files.copy(file, to);
        }
    }
}
