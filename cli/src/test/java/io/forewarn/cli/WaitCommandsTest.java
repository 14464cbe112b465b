package io.forewarn.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** What scripts learn from the exit code of a wait. */
final class WaitCommandsTest extends CommandFixture {
    private String restart() {
        done("vm", "restart", "db-1");
        return id();
    }

    @Test
    void aWaitForAnEventSaysWhetherItHappenedCanNoLongerHappenOrTookTooLong() {
        String event = restart();
        assertEquals(ExitCode.TIME_UP, run("event", "wait", event, "--for", "started", "--within", "10ms"));
        assertEquals(ExitCode.TIME_UP, run("event", "wait", event, "--for", "approved", "--within", "0"));
        done("event", "approve", event);
        done("event", "wait", event, "--for", "approved");
        done("event", "wait", event, "--for", "started", "--json");
        told("\"status\":\"started\"");
        done("clock", "advance", "2m");
        done("event", "wait", event);
        assertTrue(err.toString().contains("ended: completed"), err.toString());
        done("event", "wait", event, "--for", "approved");
        done("event", "wait", event, "--for", "started");
        done("event", "wait", event, "--for", "ended");
    }

    @Test
    void anEventThatStartsWithoutApprovalOrIsCancelledIsNotWaitedForAnyLonger() {
        String event = restart();
        done("clock", "advance", "15m");
        assertEquals(ExitCode.REFUSED, run("event", "wait", event, "--for", "approved"));
        done("clock", "advance", "2m");
        String cancelled = restart();
        done("event", "cancel", cancelled);
        assertEquals(ExitCode.REFUSED, run("event", "wait", cancelled, "--for", "started"));
        assertEquals(ExitCode.REFUSED, run("event", "wait", event, cancelled));
        assertEquals(ExitCode.WRONG_USAGE, run("event", "wait", event, "--for", "approval"));
        assertEquals(ExitCode.WRONG_USAGE, run("event", "wait", event, "--within", "soon"));
    }

    @Test
    void aWaitForARolloutSaysHowItEndedOrThatItTookTooLong() {
        done("host", "reboot", "host-5", "--name", "os");
        assertEquals(ExitCode.TIME_UP, run("rollout", "wait", "os", "--within", "10ms"));
        told("os ");
        done("clock", "advance", "20m");
        done("rollout", "wait", "os", "--json");
        told("\"status\":\"done\"");
        done("rollout", "start", "next", "--type", "freeze", "--groups", "web");
        done("rollout", "abort", "next");
        assertEquals(ExitCode.REFUSED, run("rollout", "wait", "next"));
        refused("there is no rollout nxt; did you mean next?", "rollout", "wait", "nxt");
    }
}
