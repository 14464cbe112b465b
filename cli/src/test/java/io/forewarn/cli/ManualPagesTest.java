package io.forewarn.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

final class ManualPagesTest {
    @TempDir
    private Path folder;

    @Test
    void everyCommandHasAPageThatNamesItsOptions() throws Exception {
        ManualPages.main(new String[] {folder.toString(), "2026-11-30T00:00:00Z"});
        String all = Files.readString(folder.resolve("forewarn.1"));
        for (CommandLine command : Main.line().getSubcommands().values()) {
            String name = "forewarn-" + command.getCommandName();
            assertTrue(all.contains(name.replace("-", "\\-")), name);
            String page = Files.readString(folder.resolve(name + ".1"));
            for (String part : List.of(".TH ", ".SH NAME", ".SH SYNOPSIS", ".SH DESCRIPTION", ".SH SEE ALSO")) {
                assertTrue(page.contains(part), name + ": " + part);
            }
        }
        assertTrue(Files.readString(folder.resolve("forewarn-vm.1")).contains("\\-\\-rehearsal"));
    }

    @Test
    void everyExitCodeIsExplained() throws Exception {
        ManualPages.main(new String[] {folder.toString(), "2026-11-30T00:00:00Z"});
        String page = Files.readString(folder.resolve("forewarn.1"));
        String codes = page.substring(page.indexOf(".SH EXIT STATUS"), page.indexOf(".SH ENVIRONMENT"));
        for (int code = ExitCode.DONE; code <= ExitCode.TIME_UP; code++) {
            assertTrue(codes.contains("\n.B " + code + "\n"), codes);
        }
    }

    @Test
    void groffHasNothingToSay() throws Exception {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/groff")), "groff is not installed");
        ManualPages.main(new String[] {folder.toString(), "2026-11-30T00:00:00Z"});
        try (Stream<Path> pages = Files.list(folder)) {
            for (Path page : pages.toList()) {
                Process groff = new ProcessBuilder("groff", "-man", "-ww", "-z", "-Tutf8", "-Kutf8", page.toString())
                        .redirectErrorStream(true)
                        .start();
                assertEquals("", new String(groff.getInputStream().readAllBytes(), StandardCharsets.UTF_8));
            }
        }
    }
}
