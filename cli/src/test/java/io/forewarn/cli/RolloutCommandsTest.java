package io.forewarn.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A maintenance night planned, started, watched and resumed by the command line. */
final class RolloutCommandsTest extends CommandFixture {
    private static final String[] NIGHT = {"--type", "reboot", "--groups", "web", "--at", "fri 22:00 Europe/Berlin"};

    @BeforeEach
    void wednesday() {
        done("clock", "set", "2040-01-04T12:00:00Z");
    }

    private static String[] night(String... around) {
        return Stream.concat(Arrays.stream(around), Arrays.stream(NIGHT)).toArray(String[]::new);
    }

    @Test
    void aPlanSaysWhenAndWhyEachUnitStarts() {
        done(night("rollout", "plan", "--until", "sat 06:00", "--notice", "2h"));
        told(
                "web#0  FrontEnd_IN_0  2040-01-06T21:00:00Z",
                "Why web#1 at 2040-01-06T21:31:30Z: update domain 0 of group default/web and its recovery were planned before"
                        + " it",
                "Warning: group default/web would see events of two update domains at once");
        assertFalse(out.toString().contains("Too late"), out.toString());
    }

    @Test
    void aNightThatIsTooShortIsListedAndRefused() {
        done(night("rollout", "plan", "--until", "fri 23:00"));
        told(
                "Too late: web#2 at 2040-01-06T22:03:00Z, because update domain 1 of group",
                "A start would be refused. Choose a later --until, or let the late ones start afterwards with --late any or"
                        + " --late next-window.");
        refused("web#2", night("rollout", "start", "os", "--until", "fri 23:00"));
        assertEquals(
                ExitCode.WRONG_USAGE,
                run(night("rollout", "plan", "--until", "fri 23:00", "--late", "never")),
                err.toString());
        done(night("rollout", "start", "os", "--until", "fri 23:00", "--late", "next-window"));
        done("rollout", "show", "os");
        told(
                "from 2040-01-06T21:00:00Z until 2040-01-06T22:00:00Z, late ones: next-window",
                "planned end",
                "expected end");
    }

    @Test
    void unitsAreListedWithTheirTurns() {
        done(night("rollout", "start", "os", "--until", "sat 06:00"));
        done("rollout", "units", "os");
        List<String> units =
                out.toString().lines().filter(line -> line.startsWith("web#")).toList();
        assertEquals(5, units.size(), out.toString());
        assertTrue(units.get(0).startsWith("web#0  pending  2040-01-06T21:00:00Z"), units.get(0));
        done("rollout", "units", "os", "--limit", "1", "--json");
        assertEquals(1, out.toString().split("\"startsAt\"", -1).length - 1, out.toString());
        done("rollout", "units", "os", "--state", "failed");
        told("No units.");
        assertEquals(ExitCode.WRONG_USAGE, run("rollout", "units", "os", "--state", "late"), err.toString());
        refused("there is no rollout none", "rollout", "units", "none");
    }

    @Test
    void aResumeTakesAnotherLatestStart() {
        done(night("rollout", "start", "os", "--until", "sat 06:00"));
        done("rollout", "pause", "os");
        done("clock", "set", "2040-01-07T12:00:00Z");
        refused("resume with another latest start", "rollout", "resume", "os");
        done("rollout", "resume", "os", "--until", "sun 06:00", "--late", "any");
        done("rollout", "show", "os");
        told("late ones: any", "5 units moved since the first plan");
        done("clock", "advance", "12h");
        done("rollout", "wait", "os", "--within", "1m");
        assertEquals(ExitCode.WRONG_USAGE, run("rollout", "resume", "os", "--notice", "1h"), err.toString());
    }

    @Test
    void aPolicyLimitsHowEarlyMachinesAreShownRollouts() {
        done("policy", "set", "--group", "web", "--shown-ahead", "30m");
        told("shown-ahead");
        done(night("rollout", "start", "os", "--notice", "2h"));
        done("clock", "set", "2040-01-06T20:29:00Z");
        done("event", "list");
        told("No open events.");
        done("clock", "set", "2040-01-06T20:30:00Z");
        done("event", "list");
        told("FrontEnd_IN_0");
        done("policy", "list");
        told("shown-ahead=30m");
        assertEquals(ExitCode.WRONG_USAGE, run("policy", "set", "--group", "web", "--shown-ahead", "long"));
    }
}
