package io.forewarn.cli;

import io.forewarn.core.RefusedException;
import io.forewarn.server.boot.Preflight;
import io.forewarn.server.settings.Settings;
import io.forewarn.wire.control.FindingsBody;
import io.forewarn.wire.control.FindingsBody.Finding;
import io.forewarn.wire.control.Json;
import io.forewarn.wire.control.Route;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Diagnoses problems of a running server, or of settings and store if none runs. */
@Command(
        name = "doctor",
        description = "Check for problems and suggest fixes; exit code 1 if there are any.",
        footer = {
            "",
            "Asks the running server. If none is running, checks what the flags and settings of 'serve' refer to: the ports and",
            "the store.",
            "",
            "Examples:",
            "  forewarn doctor",
            "  forewarn doctor --store sqlite:/var/lib/forewarn"
        })
final class DoctorCommand implements Callable<Integer> {
    @Mixin
    private ServerCommand serverCommand;

    @Mixin
    private ServeFlags flags;

    @Override
    public Integer call() {
        List<Finding> findings = new ArrayList<>();
        try {
            findings.addAll(
                    serverCommand.client().ask(FindingsBody.class, Route.DOCTOR).findings());
        } catch (CommandRefusedException commandRefusedException) {
            findings.add(new Finding(
                    "token",
                    commandRefusedException.getMessage(),
                    "run as the server's user, or set FOREWARN_TOKEN to a valid token"));
        } catch (ServerUnreachableException serverUnreachableException) {
            findings.add(
                    new Finding("server", serverUnreachableException.getMessage(), serverUnreachableException.fix()));
            if (!serverUnreachableException.there()) {
                withoutServer(findings);
            }
        }
        if (serverCommand.json()) {
            serverCommand.raw(Json.write(new FindingsBody(findings)));
        } else if (findings.isEmpty()) {
            serverCommand.say("No problems found.");
        } else {
            for (Finding finding : findings) {
                serverCommand.say(finding.subject() + ": " + finding.problem());
                serverCommand.say("  fix: " + finding.fix());
            }
        }
        return findings.isEmpty() ? ExitCode.DONE : ExitCode.REFUSED;
    }

    private void withoutServer(List<Finding> findings) {
        try {
            Settings settings = flags.load(System.getenv()).settings();
            findings.addAll(new Preflight(settings).findings());
        } catch (RefusedException wrong) {
            wrong.getMessage()
                    .lines()
                    .skip(1)
                    .forEach(fault -> findings.add(
                            new Finding("settings", fault, "correct it; docs/config.md lists all settings")));
        }
    }
}
