package io.forewarn.acceptance.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.forewarn.acceptance.deploy.InstalledTools;
import io.forewarn.acceptance.deploy.StoreChoice;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the tab key does, in a real bash. */
@Tag(StoreChoice.ONCE)
final class CompletionIT {
    @TempDir
    private Path folder;

    private Program program;

    @Test
    void bashCompletesCommandsOptionsAndNames() throws Exception {
        program = new Program(folder);
        Files.createDirectory(folder.resolve("bin"));
        Files.createSymbolicLink(
                folder.resolve("bin/forewarn"), InstalledTools.project().resolve("forewarn"));
        Files.writeString(folder.resolve("fleet.yaml"), "");
        Files.writeString(
                folder.resolve("script"),
                program.run("completion", "bash").ended(0).out());
        assertEquals(List.of("rollout"), tab("rol"));
        assertEquals(List.of("terminate"), tab("vm te"));
        assertEquals(List.of("--group"), tab("vm list --gr"));
        assertEquals(List.of("manual"), tab("serve --clock m"));
        assertEquals(List.of("reboot", "redeploy"), tab("rollout start os-1 --type re"));
        assertEquals(List.of("terminate"), tab("event list --type t"));
        assertEquals(List.of("viewer"), tab("token add blue --role v"));
        assertEquals(List.of("scheduled", "skipped", "started"), tab("rollout units os-1 --state s"));
        assertEquals(List.of("fleet.yaml"), tab("fleet apply fl"));
        // Without a server there are no names, and nobody waits for them.
        assertEquals(List.of(), tab("vm restart Front"));
        try (ServerProcess server = new ServerProcess(program)) {
            program.with("FOREWARN_URL", server.url());
            assertEquals(List.of("FrontEnd_IN_0", "FrontEnd_IN_1", "FrontEnd_IN_2"), tab("vm restart Front"));
            assertEquals(List.of("batch"), tab("vm list --group ba"));
            assertEquals(List.of("host-4"), tab("host show host-4"));
            String id = program.run("vm", "restart", "db-1", "--json")
                    .ended(0)
                    .out()
                    .substring(18, 18 + 36);
            assertEquals(List.of(id), tab("event approve " + id.substring(0, 2)));
            program.run("rollout", "start", "os-1", "--type", "freeze", "--groups", "web")
                    .ended(0);
            assertEquals(List.of("os-1"), tab("rollout show o"));
        }
    }

    @Test
    void zshLoadsTheSameScript() throws Exception {
        InstalledTools.need("zsh");
        program = new Program(folder);
        Files.writeString(
                folder.resolve("script"),
                program.run("completion", "zsh").ended(0).out());
        Program.Run loaded = program.shell(
                "zsh -fc 'autoload -U compinit && compinit -u -d dump && source ./script && whence -w _forewarn && print ${_comps[forewarn]}'");
        assertTrue(loaded.ended(0).out().contains("_forewarn: function"), loaded.out() + loaded.err());
        assertTrue(loaded.out().contains("_forewarn"), loaded.out());
    }

    /** What bash offers after these words; the names are asked of the server with a longer limit than people would wait. */
    private List<String> tab(String line) throws Exception {
        Files.writeString(
                folder.resolve("tab.sh"),
                "PATH=$PWD/bin:$PATH\nsource ./script\ntimeout() { shift; command timeout 60 \"$@\"; }\n"
                        + "COMP_WORDS=(forewarn " + line + ")\nCOMP_CWORD=$((${#COMP_WORDS[@]} - 1))\n_forewarn\n"
                        + "printf '%s\\n' \"${COMPREPLY[@]}\"\n");
        return program.shell("bash ./tab.sh")
                .ended(0)
                .out()
                .lines()
                .filter(l -> !l.isEmpty())
                .sorted()
                .toList();
    }
}
