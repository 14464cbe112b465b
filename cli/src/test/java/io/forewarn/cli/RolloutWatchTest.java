package io.forewarn.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.forewarn.wire.control.Json;
import io.forewarn.wire.control.RolloutBody;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

final class RolloutWatchTest {
    private final StringWriter out = new StringWriter();

    @Test
    void theBarShowsDoneActiveAndPendingUnits() {
        assertEquals(
                "[####################>>>>>>>>>>..........] 2/4  1 active, 0 failed, running",
                RolloutProgressBar.of(rollout("running", 2, 1, 0, null)));
        assertEquals(
                "[####################....................] 2/4  0 active, 1 failed, halted: web#2 failed",
                RolloutProgressBar.of(rollout("halted", 2, 0, 1, "default/web#2 failed")));
    }

    @Test
    void aBlockedRolloutShowsWhatItWaitsFor() throws IOException {
        String body = "{\"status\":\"running\",\"units\":4,\"pending\":2,\"done\":1,\"skipped\":1,"
                + "\"blockedUnits\":[{\"count\":2,\"reason\":\"web-2 is down\"}],\"active\":";
        RolloutBody stands = Json.answer(RolloutBody.class, (body + "0}").getBytes(StandardCharsets.UTF_8));
        assertEquals(
                "[####################....................] 2/4  0 active, 0 failed, 1 skipped, running: web-2 is down",
                RolloutProgressBar.of(stands));
        String working = "1,\"activeUnits\":[{\"name\":\"web#1\",\"events\":[{\"status\":\"started\"}]}]}";
        RolloutBody goesOn = Json.answer(RolloutBody.class, (body + working).getBytes(StandardCharsets.UTF_8));
        assertEquals("", RolloutProgressBar.reason(goesOn));
    }

    @Test
    void elsewhereThanOnATerminalEachChangeIsALine() {
        RolloutWatch watch = watch(false, false);
        assertFalse(watch.show(rollout("running", 0, 1, 0, null)));
        assertFalse(watch.show(rollout("running", 0, 1, 0, null)));
        assertFalse(watch.show(rollout("paused", 1, 1, 0, null)));
        assertTrue(watch.show(rollout("done", 4, 0, 0, null)));
        List<String> lines = out.toString().lines().toList();
        assertEquals(3, lines.size(), out.toString());
        assertTrue(lines.get(1).endsWith("paused"), lines.get(1));
        assertFalse(out.toString().contains("\r") || out.toString().contains("\u001b"), out.toString());
    }

    @Test
    void theExpectedEndIsShownAndIsNoChangeByItself() {
        RolloutWatch watch = watch(false, false);
        String late = "running\",\"expectedEnd\":\"2040-01-02T12:0%d:00Z";
        watch.show(rollout(late.formatted(1), 0, 1, 0, null));
        watch.show(rollout(late.formatted(2), 0, 1, 0, null));
        watch.show(rollout(late.formatted(3), 1, 1, 0, null));
        watch.show(rollout("paused\",\"expectedEnd\":\"2040-01-02T12:04:00Z", 1, 1, 0, null));
        List<String> lines = out.toString().lines().toList();
        assertEquals(3, lines.size(), out.toString());
        assertTrue(lines.get(0).endsWith(", running, ends about 2040-01-02T12:01:00Z"), lines.get(0));
        assertTrue(lines.get(1).endsWith(", running, ends about 2040-01-02T12:03:00Z"), lines.get(1));
        assertTrue(lines.get(2).endsWith(", paused"), lines.get(2));
        RolloutWatch programs = watch(true, false);
        programs.show(rollout(late.formatted(1), 0, 1, 0, null));
        programs.show(rollout(late.formatted(2), 0, 1, 0, null));
        assertEquals(4, out.toString().lines().count(), out.toString());
    }

    @Test
    void onATerminalOneLineIsRedrawnAndTheLastIsPrintedInFull() {
        RolloutWatch watch = watch(false, true);
        String why = "default/web#2 failed. It is a long story, longer than a line of this terminal";
        assertFalse(watch.show(rollout("running", 0, 1, 0, why)));
        assertFalse(watch.show(rollout("running", 1, 1, 0, null)));
        String drawn = out.toString();
        assertFalse(drawn.contains("\n"), drawn);
        for (String line : drawn.split("\r")) {
            assertTrue(line.replace("\u001b[K", "").length() < 80, line);
        }
        assertTrue(watch.show(rollout("halted", 1, 0, 1, why)));
        assertTrue(out.toString().endsWith("of this terminal\u001b[K" + System.lineSeparator()), out.toString());
    }

    @Test
    void forProgramsEachChangeIsAnAnswerOfItsOwn() throws IOException {
        RolloutWatch watch = watch(true, true);
        assertFalse(watch.show(rollout("running", 0, 1, 0, null)));
        assertTrue(watch.show(rollout("aborted", 0, 0, 0, "by local")));
        List<String> lines = out.toString().lines().toList();
        assertEquals(2, lines.size());
        RolloutBody last = Json.answer(RolloutBody.class, lines.get(1).getBytes(StandardCharsets.UTF_8));
        assertEquals("aborted", last.status());
    }

    @Test
    void onlyWhatWasDoneWithoutAFailureIsZero() {
        assertEquals(ExitCode.DONE, RolloutWatch.exit(rollout("done", 4, 0, 0, null)));
        assertEquals(ExitCode.REFUSED, RolloutWatch.exit(rollout("done", 3, 0, 1, null)));
        assertEquals(ExitCode.REFUSED, RolloutWatch.exit(rollout("halted", 1, 0, 1, null)));
        assertEquals(ExitCode.REFUSED, RolloutWatch.exit(rollout("aborted", 1, 0, 0, null)));
    }

    @Test
    void aBarIsDrawnOnlyByWhoIsInFrontOfATerminalThatCan() {
        assertTrue(Terminal.of(80, "xterm").draws());
        assertFalse(Terminal.of(80, "dumb").draws());
        assertFalse(Terminal.of(80, null).draws());
        assertFalse(Terminal.of(null, "xterm").draws());
        assertTrue(Terminal.inFront("12 (a b) c) S 1 12 12 34816 12 4194304"));
        assertFalse(Terminal.inFront("12 (java) S 1 12 7 34816 99 4194304"));
    }

    private RolloutWatch watch(boolean json, boolean inPlace) {
        return new RolloutWatch(new PrintWriter(out), json, 80, () -> inPlace);
    }

    private static RolloutBody rollout(String status, int done, int open, int failed, String why) {
        String body =
                "{\"name\":\"os-1\",\"type\":\"reboot\",\"status\":\"" + status + "\",\"target\":[\"default/web\"],"
                        + (why == null ? "" : "\"reason\":\"" + why + "\",") + "\"units\":4,\"pending\":"
                        + (4 - done - open - failed)
                        + ",\"active\":" + open + ",\"done\":" + done + ",\"failed\":" + failed + "}";
        try {
            return Json.answer(RolloutBody.class, body.getBytes(StandardCharsets.UTF_8));
        } catch (IOException wrong) {
            throw new AssertionError(wrong);
        }
    }
}
