package io.forewarn.acceptance.house;

import static io.forewarn.core.Eventually.eventually;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

// Takes more than 20 s: it builds the project in a fresh clone.
final class OneCommandIT {
    private static final Path COMMAND = ShellCommand.REPOSITORY.resolve("forewarn");

    @TempDir
    private Path folder;

    @Test
    void itRunsFromAnyFolderThroughALinkAndBuildsNothingTwice() throws Exception {
        Path link = Files.createSymbolicLink(folder.resolve("fw"), COMMAND);
        ShellCommand.start(folder, link.toString(), "--version").end();

        ShellCommand again = ShellCommand.start(folder, link.toString(), "--version");

        assertEquals(0, again.end(), again.complained());
        assertTrue(again.printed().startsWith("forewarn "), again.printed());
        assertEquals("", again.complained());
    }

    @Test
    void wordsForTheJvmReachItAsTheyAre() throws Exception {
        String words = "FOREWARN_JAVA_OPTS=-Dforewarn.star=* -XshowSettings:properties";
        ShellCommand shown = ShellCommand.start(folder, "env", words, COMMAND.toString(), "--version");
        assertEquals(0, shown.end(), shown.complained());
        assertTrue(shown.complained().contains("forewarn.star = *\n"), shown.complained());
    }

    @Test
    void aSignalReachesTheService() throws Exception {
        Path ready = folder.resolve("ready");
        ShellCommand serve = ShellCommand.start(
                folder,
                COMMAND.toString(),
                "serve",
                "--metadata=127.0.0.1:0",
                "--control=127.0.0.1:0",
                "--ready-file=" + ready);
        eventually(() -> Files.exists(ready) || !serve.process().isAlive());

        serve.process().destroy();

        assertEquals(143, serve.end(), serve.complained());
        assertTrue(serve.complained().endsWith("ended\n"), serve.complained());
    }

    @Test
    void startedBySystemdItBuildsNothingAndNamesThePackage() throws Exception {
        Path clone = Files.createDirectory(folder.resolve("clone"));
        String copy = "cp -r forewarn .mvn \"$0\"";
        assertEquals(
                0,
                ShellCommand.start(ShellCommand.REPOSITORY, "bash", "-c", copy, clone.toString())
                        .end());
        // As systemd tells the process that it starts.
        String start = "SYSTEMD_EXEC_PID=$$ exec ./forewarn serve";
        ShellCommand refused = ShellCommand.start(clone, "bash", "-c", start);
        assertEquals(78, refused.end());
        assertTrue(refused.complained().contains("forewarn_VERSION_amd64.deb"), refused.complained());
        assertTrue(Files.notExists(clone.resolve(".build")), "something was built");
    }

    @Test
    void afterAnUpdateOfJavaAServiceStartsWithoutItsArchive() throws Exception {
        assertEquals(
                0, ShellCommand.start(folder, COMMAND.toString(), "--version").end());
        Path java = Path.of(System.getProperty("java.home")).toRealPath();
        Path updated = Files.createDirectory(folder.resolve("java"));
        String link = "ln -s \"$0\"/* \"$1\"; rm \"$1/release\"; sed 's/^JAVA_VERSION=.*/JAVA_VERSION=\""
                + Runtime.version().feature() + ".0.99\"/' \"$0/release\" > \"$1/release\"";
        assertEquals(
                0,
                ShellCommand.start(folder, "bash", "-c", link, java.toString(), updated.toString())
                        .end());
        Path ready = folder.resolve("ready");
        String start = "SYSTEMD_EXEC_PID=$$ JAVA_HOME=$PWD/java exec " + COMMAND
                + " serve --metadata=127.0.0.1:0 --control=127.0.0.1:0 --ready-file=ready";
        ShellCommand serve = ShellCommand.start(folder, "bash", "-c", start);
        eventually(() -> Files.exists(ready) || !serve.process().isAlive());
        serve.process().destroy();
        assertEquals(143, serve.end(), serve.complained());
        assertEquals(
                1,
                serve.complained()
                        .lines()
                        .filter(l -> l.contains("what=no-class-archive"))
                        .count(),
                serve.complained());
    }

    @Test
    void inAFreshCloneTwoAtOnceBuildOnceAndABrokenSourceIsShown() throws Exception {
        Path clone = Files.createDirectory(folder.resolve("a clone"));
        String copy =
                "tar -c --exclude=.git --exclude=target --exclude=.build --exclude=forewarn-data . | tar -x -C \"$0\"";
        assertEquals(
                0,
                ShellCommand.start(ShellCommand.REPOSITORY, "bash", "-c", copy, clone.toString())
                        .end());

        ShellCommand one = ShellCommand.start(clone, "./forewarn", "--version");
        ShellCommand two = ShellCommand.start(clone, "./forewarn", "--version");
        assertEquals(0, one.end(), one.complained());
        assertEquals(0, two.end(), two.complained());
        assertEquals(one.printed(), two.printed());
        String both = one.complained() + two.complained();
        assertEquals(1, both.split("building forewarn \\(first use", -1).length - 1, both);

        Files.writeString(
                clone.resolve("core/src/main/java/io/forewarn/core/Broken.java"), "package io.forewarn.core; oops");
        ShellCommand broken = ShellCommand.start(clone, "./forewarn", "--version");
        assertEquals(70, broken.end());
        assertTrue(broken.complained().contains("Broken.java"), broken.complained());
        assertTrue(broken.complained().contains(".build/build.log"), broken.complained());
    }
}
