package io.forewarn.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Hosts, patterns, times and filters as an operator types them. */
final class HostCommandsTest extends CommandFixture {
    @BeforeEach
    void monday() {
        done("clock", "set", "2040-01-02T12:00:00Z");
    }

    @Test
    void hostsAreListedWithWhatTheyCarryAndTheirNextWork() {
        done("host", "list");
        told("NAME", "host-1", "host-5", "default", "batch#2,db-1#0");
        done("host", "list", "--name", "rack-*");
        told("No hosts");
        done("host", "list", "--name", "host-*", "--limit", "2");
        assertFalse(out.toString().contains("host-3"), out.toString());
        assertTrue(err.toString().contains("The first 2 are shown"), err.toString());
        done("host", "reboot", "host-3");
        told("started host-3-reboot-20400102-1200: 1 unit");
        done("host", "list", "--name", "host-3");
        told("reboot from 2040-01-02T12:15:00Z (host-3-reboot-20400102-1200)");
        done("host", "show", "host-3");
        told("FrontEnd_IN_2", "web#2", "reboot from", "scheduled");
        refused("no machine runs on host host-6; did you mean host-", "host", "show", "host-6");
    }

    @Test
    void workOnOneHostIsARolloutWithANameOfItsOwn() {
        done("host", "freeze", "host-3", "--rehearsal", "--name", "try");
        told("started try: 1 unit");
        done("host", "reboot", "host-3");
        done("rollout", "abort", "host-3-reboot-20400102-1200");
        done("host", "reboot", "host-3");
        told("started host-3-reboot-20400102-1200-2: 1 unit");
        refused("evacuate first", "host", "redeploy", "host-1");
        done("host", "drain", "host-1", "--json");
        told("\"type\":\"redeploy\"", "\"name\":\"host-1-drain-20400102-1200\"");
        assertEquals(ExitCode.WRONG_USAGE, run("host", "reboot", "host-*"));
        assertTrue(err.toString().contains("forewarn rollout start NAME --type reboot --hosts"), err.toString());
    }

    @Test
    void aRolloutSaysWhatItLeavesOutAndInWhichZoneItsWindowsAre() {
        String[] target = {"--type", "freeze", "--hosts", "host-?", "--exclude", "host-1,host-2,host-4"};
        done(
                "rollout",
                "plan",
                target[0],
                target[1],
                target[2],
                target[3],
                target[4],
                target[5],
                "--window",
                "friday 22:00 8h");
        told("Left out: host-1 is excluded", "Windows: 'fri 22:00 8h UTC'", "2 units");
        done("rollout", "start", "os", target[0], target[1], target[2], target[3], target[4], target[5]);
        done("rollout", "show", "os");
        told("without", "host-1", "host-4");
        refused(
                "there is no tenant bank",
                "rollout",
                "plan",
                "--type",
                "freeze",
                "--hosts",
                "*",
                "--except-tenant",
                "bank");
        refused("no group matches 'default/shop*'", "rollout", "plan", "--type", "freeze", "--groups", "shop*");
    }

    @Test
    void machinesAndEventsAreFilteredAndSorted() {
        done("vm", "list", "--host", "rack-*");
        told("No machines.");
        done("vm", "list", "--host", "host-5", "--sort", "-name");
        assertTrue(out.toString().indexOf("db-1") < out.toString().indexOf("batch_2"), out.toString());
        done("vm", "list", "--tag", "env=demo", "--name", "Back*");
        told("BackEnd_IN_0", "BackEnd_IN_1");
        assertFalse(out.toString().contains("db-1"), out.toString());
        done("vm", "list", "--silent");
        told("No machines.");
        done("vm", "restart", "FrontEnd_IN_*");
        assertEquals(3, ID.matcher(out.toString()).results().count(), out.toString());
        done("event", "list", "--host", "host-1", "--type", "reboot", "--state", "scheduled");
        told("FrontEnd_IN_0");
        assertFalse(out.toString().contains("FrontEnd_IN_1"), out.toString());
        done("host", "reboot", "host-5", "--name", "five");
        done("event", "list", "--rollout", "five", "--sort", "not-before");
        told("batch_2", "db-1");
        refused("no machine matches 'cache-*'", "vm", "remove", "cache-*");
        done("rollout", "abort", "five");
        done("vm", "remove", "batch_*");
        told("3 changed");
        assertEquals(ExitCode.WRONG_USAGE, run("vm", "list", "--sort", "size"));
    }

    @Test
    void timesAreTypedAsPeopleSayThem() {
        done("clock", "set", "fri 22:00 Europe/Berlin");
        told("2040-01-06T21:00:00Z");
        done(
                "policy",
                "set",
                "--group",
                "web",
                "--postpone",
                "3x2d",
                "--blackout",
                "2040-12-24 18:00..2040-12-27 06:00");
        told("'2040-12-24 18:00..2040-12-27 06:00 UTC'");
        done("policy", "set", "--group", "batch", "--window", "saturday,Sunday 1:00 4h");
        told("'sat,sun 01:00 4h UTC'");
        done("vm", "restart", "FrontEnd_IN_0");
        done("event", "postpone", id(), "--until", "tomorrow 02:00");
        told("starts at 2040-01-07T02:00:00Z");
        done("history", "--since", "fri 20:00");
        told("postponed");
        assertEquals(ExitCode.WRONG_USAGE, run("clock", "set", "frday 22:00"));
        assertTrue(err.toString().contains("'frday' is not a day; did you mean 'friday'?"), err.toString());
    }
}
