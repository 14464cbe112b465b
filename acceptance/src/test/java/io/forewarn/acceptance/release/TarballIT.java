package io.forewarn.acceptance.release;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.forewarn.acceptance.deploy.InstalledTools;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The tarballs: one on any Java from 17 on, one that needs nothing but the C library. */
// Takes more than 20 s: it builds the release if nobody did, and half of it once more.
@Timeout(value = BuiltRelease.MINUTES, unit = TimeUnit.MINUTES)
final class TarballIT {
    private static final long MOST_BYTES = 90L << 20;

    @TempDir
    private Path folder;

    @Test
    void theTarballWithARuntimeRunsWhereThereIsNoJava() throws Exception {
        InstalledTools.needNetworkOfItsOwn();
        InstalledTools.need("chroot");
        Path tarball = BuiltRelease.file("forewarn-", "-linux-x64.tar.gz");
        assertTrue(Files.size(tarball) < MOST_BYTES, Files.size(tarball) + " bytes");
        Path root = bareRoot();
        Path home = BuiltRelease.unpack(tarball, Files.createDirectories(root.resolve("some where")));
        String program = "/some where/" + home.getFileName() + "/bin/forewarn";
        Path store = Files.createDirectory(root.resolve("data"));

        try (Serving serving = Serving.in(root, program, "sqlite:/data")) {
            assertEquals("{\"DocumentIncarnation\":1,\"Events\":[]}", serving.ask());
            serving.run("vm", "restart", "FrontEnd_IN_0");
            assertTrue(serving.ask().contains("\"Scheduled\""));
            assertFalse(serving.log().contains("no-class-archive"), serving.log());
        }
        assertTrue(Files.exists(store.resolve("forewarn.db")));
        assertEquals(
                0,
                Output.of(
                                root,
                                "tar",
                                "--compare",
                                "-zf",
                                tarball.toString(),
                                "-C",
                                home.getParent().toString())
                        .exit(),
                "something was written beside the program");

        // An archive that does not fit costs one line.
        Path archive = home.resolve("lib/classes.jsa");
        for (boolean missing : new boolean[] {false, true}) {
            if (missing) {
                Files.delete(archive);
            } else {
                Files.write(archive, new byte[4096]);
            }
            try (Serving serving = Serving.in(root, program, "sqlite:/data")) {
                assertTrue(serving.ask().contains("\"Scheduled\""));
                assertEquals(
                        1,
                        serving.log()
                                .lines()
                                .filter(l -> l.contains("no-class-archive"))
                                .count(),
                        serving.log());
            }
        }
    }

    /** The C library, a shell, and what the launcher calls; no Java. */
    private Path bareRoot() throws IOException, InterruptedException {
        Path root = Files.createDirectory(folder.resolve("root"));
        String script =
                "mkdir -p bin usr/bin lib/x86_64-linux-gnu; for f in \"$@\"; do f=$(command -v $f); mkdir -p .${f%/*}; cp -L $f .$f;"
                        + " for l in $(ldd $f | grep -o '/[^ ]*'); do mkdir -p .${l%/*}; cp -L $l .$l; done; done;"
                        + " for l in libm.so.6 libdl.so.2 libpthread.so.0 librt.so.1 libresolv.so.2 libnss_files.so.2; do cp -L /lib/x86_64-linux-gnu/$l lib/x86_64-linux-gnu/; done;"
                        + " cp -L $(command -v sh) bin/sh; mkdir -p tmp dev proc etc; echo 'root:x:0:0::/:/bin/sh' > etc/passwd";
        Output.of(root, "bash", "-euc", script, "bash", "sh", "readlink", "stty", "env")
                .must();
        return root;
    }

    @Test
    void theOtherTarballRunsOnJava17AndOn25() throws Exception {
        InstalledTools.need("curl");
        Path home = BuiltRelease.unpack(BuiltRelease.file("forewarn-", ".tar.gz"), folder);
        Path store = Files.createDirectory(folder.resolve("data"));
        // One after the other on the same store: an update of Java.
        for (String feature : List.of("17", "25", "17")) {
            Path jdk = BuiltRelease.jdk(feature);
            try (Serving serving = Serving.on(jdk, home.resolve("bin/forewarn").toString(), "sqlite:" + store)) {
                if (serving.ask().contains("\"Events\":[]")) {
                    serving.run("vm", "restart", "FrontEnd_IN_0");
                }
                assertTrue(serving.ask().contains("\"Scheduled\""));
                assertTrue(serving.run("--version").contains(BuiltRelease.version()));
            }
        }
    }

    @Test
    void anUpgradeAndTheWayBackKeepEventsAndANewerStoreIsRefused() throws Exception {
        InstalledTools.need("curl");
        Path jdk = BuiltRelease.jdk("17");
        Path now = BuiltRelease.unpack(BuiltRelease.file("forewarn-", ".tar.gz"), folder);
        Path next = folder.resolve("next");
        Output.of(folder, "cp", "-r", now.toString(), next.toString()).must();
        NextRelease.of(next.resolve("lib"));
        Path store = Files.createDirectory(folder.resolve("data"));
        String document = null;
        for (Path home : List.of(now, next, now)) {
            try (Serving serving = Serving.on(jdk, home.resolve("bin/forewarn").toString(), "sqlite:" + store)) {
                if (document == null) {
                    serving.ask();
                    serving.run("vm", "restart", "FrontEnd_IN_0");
                    serving.run("rollout", "start", "os-1", "--type", "reboot", "--groups", "batch");
                    document = serving.ask();
                }
                String seen = serving.ask();
                assertEquals(id(document), id(seen));
                // Time in which nobody could read it does not count as notice: it may only come later.
                assertTrue(notBefore(seen) >= notBefore(document), document + seen);
                assertTrue(serving.run("rollout", "list").contains("os-1"));
            }
        }
        newerLayout(jdk, now, store);
        Output refused = Output.of(
                folder,
                Map.of("JAVA_HOME", jdk.toString()),
                now.resolve("bin/forewarn").toString(),
                "serve",
                "--store",
                "sqlite:" + store,
                "--metadata",
                "127.0.0.1:0",
                "--control",
                "127.0.0.1:0");
        assertEquals(1, refused.exit(), refused::text);
        assertTrue(refused.text().contains("made by a newer release; this release knows layout 1"), refused::text);
    }

    private static String id(String document) {
        var id = Pattern.compile("[0-9A-F]{8}-[0-9A-F-]{27}").matcher(document);
        assertTrue(id.find(), document);
        return id.group();
    }

    private static long notBefore(String document) {
        var time = Pattern.compile("\"NotBefore\":\"([^\"]+)\"").matcher(document);
        assertTrue(time.find(), document);
        return java.time.ZonedDateTime.parse(time.group(1), java.time.format.DateTimeFormatter.RFC_1123_DATE_TIME)
                .toEpochSecond();
    }

    /** The layout number that a later release would write. */
    private void newerLayout(Path jdk, Path home, Path store) throws IOException, InterruptedException {
        Path program = Files.writeString(
                folder.resolve("Newer.java"),
                "class Newer { public static void main(String[] a) throws Exception {"
                        + " try (var c = java.sql.DriverManager.getConnection(\"jdbc:sqlite:\" + a[0]); var s = c.createStatement()) {"
                        + " s.execute(\"PRAGMA user_version = 2\"); } } }");
        Output.of(
                        folder,
                        jdk.resolve("bin/java").toString(),
                        "-cp",
                        home.resolve("lib") + "/*",
                        program.toString(),
                        store.resolve("forewarn.db").toString())
                .must();
    }

    @Test
    void pagesNameFilesOfThisRelease() throws Exception {
        Pattern name = Pattern.compile("forewarn[-_]\\d[\\w.-]*\\.(?:deb|tar\\.gz|tar)");
        for (String page : List.of("README.md", "docs/deploy.md", "docs/cluster.md")) {
            List<String> named = name.matcher(
                            Files.readString(InstalledTools.project().resolve(page)))
                    .results()
                    .map(MatchResult::group)
                    .toList();
            assertFalse(named.isEmpty(), page);
            for (String file : named) {
                assertTrue(Files.exists(BuiltRelease.folder().resolve(file)), page + " names " + file);
            }
        }
    }

    @Test
    void twoBuildsAreTheSame() throws Exception {
        Path first = BuiltRelease.folder();
        Path second = folder.resolve("again");
        Output.of(
                        InstalledTools.project(),
                        InstalledTools.project().resolve("release").toString(),
                        "--into",
                        second.toString(),
                        "--only",
                        "tarballs")
                .must();
        String portable =
                BuiltRelease.file("forewarn-", ".tar.gz").getFileName().toString();
        assertEquals(-1L, Files.mismatch(first.resolve(portable), second.resolve(portable)));
        String runtime = BuiltRelease.file("forewarn-", "-linux-x64.tar.gz")
                .getFileName()
                .toString();
        assertEquals(sums(first.resolve(runtime)), sums(second.resolve(runtime)));
    }

    /** Of every file but the class archives, which the JVM never writes twice in the same way. */
    private String sums(Path tarball) throws IOException, InterruptedException {
        return Output.of(
                        folder,
                        "bash",
                        "-euo",
                        "pipefail",
                        "-c",
                        "d=$(mktemp -d -p .); tar -xzf \"$0\" -C $d; cd $d; find . -type f -not -name '*.jsa' -print0 | sort -z | xargs -0 sha256sum; cd ..; rm -rf $d",
                        tarball.toString())
                .must();
    }
}
