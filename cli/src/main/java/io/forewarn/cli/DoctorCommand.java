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

/** Looks for what is wrong, in the running server or without one. */
@Command(
        name = "doctor",
        description = "Looks for what is wrong and says what cures it; exit code 1 if anything is.",
        footer = {
            "",
            "Asks the running server. Without one it looks at what the flags and settings of 'serve' name: the ports and",
            "the store.",
            "",
            "Examples:",
            "  forewarn doctor",
            "  forewarn doctor --store sqlite:/var/lib/forewarn"
        })
final class DoctorCommand implements Callable<Integer> {
    @Mixin
    private Asking asking;

    @Mixin
    private ServeFlags flags;

    @Override
    public Integer call() {
        List<Finding> findings = new ArrayList<>();
        try {
            findings.addAll(
                    asking.client().ask(FindingsBody.class, Route.DOCTOR).findings());
        } catch (Refused refused) {
            findings.add(new Finding(
                    "token",
                    refused.getMessage(),
                    "run as the server's user, or give FOREWARN_TOKEN a token it knows"));
        } catch (Unreachable unreachable) {
            findings.add(new Finding("server", unreachable.getMessage(), unreachable.cure()));
            if (!unreachable.there()) {
                withoutServer(findings);
            }
        }
        if (asking.json()) {
            asking.raw(Json.write(new FindingsBody(findings)));
        } else if (findings.isEmpty()) {
            asking.say("All is well.");
        } else {
            for (Finding finding : findings) {
                asking.say(finding.about() + ": " + finding.found());
                asking.say("  cure: " + finding.cure());
            }
        }
        return findings.isEmpty() ? Exit.DONE : Exit.REFUSED;
    }

    private void withoutServer(List<Finding> findings) {
        try {
            Settings settings = flags.load(System.getenv()).settings();
            findings.addAll(new Preflight(settings).findings());
        } catch (RefusedException wrong) {
            wrong.getMessage()
                    .lines()
                    .skip(1)
                    .forEach(fault ->
                            findings.add(new Finding("settings", fault, "correct it; docs/config.md lists all")));
        }
    }
}
