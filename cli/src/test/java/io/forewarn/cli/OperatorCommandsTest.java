package io.forewarn.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** What operators ask for and are told, by the command line beside a running service with the demo fleet. */
final class OperatorCommandsTest extends CommandFixture {
    @Test
    void howLongAMachineIsAwayIsReadByIt() throws Exception {
        done("vm", "freeze", "FrontEnd_IN_0");
        assertTrue(document().contains("\"DurationInSeconds\":5"), document());
        done("event", "cancel", id());
        done("vm", "freeze", "FrontEnd_IN_0", "--duration", "3s");
        assertTrue(document().contains("\"DurationInSeconds\":3"), document());
        done("event", "show", id());
        assertTrue(out.toString().contains("duration           3s"), out.toString());
        done("event", "approve", id());
        done("clock");
        assertTrue(out.toString().contains("(manual)"), "alone it shows the clock: " + out);
        done("clock", "advance", "2s");
        assertTrue(document().contains("\"EventStatus\":\"Started\""), document());
        done("clock", "advance", "1s");
        assertFalse(document().contains("EventId"), document());
        done("vm", "restart", "FrontEnd_IN_0");
        assertTrue(document().contains("\"DurationInSeconds\":-1"), document());
        assertEquals(ExitCode.WRONG_USAGE, run("vm", "freeze", "db-1", "--duration", "soon"));
        assertEquals(ExitCode.WRONG_USAGE, run("vm", "freeze", "db-1", "--duration", "8d"));
    }

    @Test
    void theFormerNamesOfOptionsKeepWorking() throws Exception {
        done("rollout", "start", "r", "--type", "reboot", "--hosts", "host-1", "--passes", "--drill");
        done("rollout", "show", "r");
        assertTrue(out.toString().contains("reboot (rehearsal)"), out.toString());
        done("vm", "restart", "db-1", "--drill");
        done("event", "show", id());
        assertTrue(out.toString().contains("rehearsal"), out.toString());
        done("rollout", "start", "--help");
        assertFalse(out.toString().contains("--drill") || out.toString().contains("--passes"), out.toString());
    }

    @Test
    void theEventsOfARolloutLastAsLongAsItSays() throws Exception {
        done("rollout", "start", "r", "--type", "freeze", "--groups", "web", "--duration", "7s");
        assertTrue(document().contains("\"DurationInSeconds\":7"), document());
    }

    @Test
    void helpSaysHowLongADurationMayBeAndWhatGoesByIt() {
        assertEquals(ExitCode.WRONG_USAGE, run("vm", "freeze", "db-1", "--duration", "7d1s"));
        assertTrue(err.toString().contains("from 0s to 7 days"), err.toString());
        assertTrue(help("vm", "restart").contains("from 0s to 7 days"), help("vm", "restart"));
        assertTrue(help("vm", "restart").contains("Plans go by it only if work is simulated"), help("vm", "restart"));
        for (String command : new String[] {"rollout start", "rollout plan", "host reboot"}) {
            String help = help(command.split(" "));
            assertTrue(help.contains("from 0s to 7 days") && help.contains("The plan goes by it"), help);
        }
    }

    private String help(String... command) {
        String[] asked = Arrays.copyOf(command, command.length + 1);
        asked[command.length] = "--help";
        done(asked);
        return out.toString().replaceAll("\\s+", " ");
    }

    @Test
    void scheduledEventsOfRolloutsKeepNobodyFromRemovingMachinesAndHelpSaysSo() {
        done("rollout", "start", "r", "--type", "reboot", "--groups", "web", "--notice", "2h");
        done("vm", "remove", "FrontEnd_IN_0");
        done("vm", "restart", "FrontEnd_IN_1");
        String restart = id();
        assertEquals(ExitCode.REFUSED, run("vm", "remove", "FrontEnd_IN_1"));
        assertEquals(ExitCode.REFUSED, run("group", "remove", "web"));
        done("event", "cancel", restart);
        done("group", "remove", "web");
        String exception = "scheduled events of rollouts do not count";
        assertTrue(help("vm", "remove").contains(exception), help("vm", "remove"));
        assertTrue(help("group", "remove").contains(exception), help("group", "remove"));
    }

    @Test
    void anApprovedEventThatIsHeldSaysByWhatAndUntilWhen() {
        done("policy", "set", "--group", "web", "--window", "sat 01:00 1m UTC");
        done("vm", "freeze", "FrontEnd_IN_0");
        assertTrue(out.toString().contains(", or as soon as it is approved"), out.toString());
        assertFalse(out.toString().contains("resume-grace"), out.toString());
        done("event", "approve", id());
        assertTrue(out.toString().contains("approved; held until 20"), out.toString());
        assertTrue(out.toString().contains(" by: "), out.toString());
        done("vm", "add", "spot-9", "--spot");
        done("vm", "preempt", "spot-9");
        assertFalse(out.toString().contains("resume-grace"), out.toString());
        done("event", "cancel", id());
        close();
        open("1m");
        done("vm", "preempt", "spot-9");
        assertTrue(out.toString().contains("; clock.resume-grace holds it until 20"), out.toString());
    }

    @Test
    void aMachineThatIsThereIsNotAddedButSet() {
        done("vm", "add", "web-9", "--host", "host-1", "--address", "127.0.0.77", "--tag", "env=prod", "--tag", "a=b");
        assertTrue(out.toString().contains("added machine web-9"), out.toString());
        assertEquals(ExitCode.REFUSED, run("vm", "add", "web-9", "--tag", "env=test"));
        assertTrue(
                err.toString().contains("there is already a machine default/web-9; use 'forewarn vm set'"),
                err.toString());
        done("vm", "set", "web-9", "--host", "host-2", "--tag", "env=test", "--tag", "a=");
        assertEquals(
                "moved machine web-9  host: host-1 -> host-2, tag a: b -> none, tag env: prod -> test\n1 moved.\n",
                out.toString());
        done("vm", "show", "web-9");
        assertTrue(out.toString().contains("127.0.0.77"), out.toString());
        assertTrue(out.toString().contains("env=test"), out.toString());
        assertEquals(ExitCode.REFUSED, run("vm", "set", "nobody", "--host", "h"));
        assertTrue(err.toString().contains("nobody"), err.toString());
        assertEquals(ExitCode.WRONG_USAGE, run("vm", "set", "web-9"));
        done("vm", "set", "web-9", "--group", "web");
        assertTrue(out.toString().contains("moved machine web-9  group: web-9 -> web"), out.toString());
    }

    @Test
    void aFleetFileSaysByNameWhatItDoesAndADryRunDoesNothing() throws Exception {
        Path file = folder.resolve("fleet.yaml");
        Files.writeString(
                file,
                "groups:\n  - {name: shop, kind: availability-set}\nmachines:\n  - {name: shop-1, group: shop, host: h1}\n"
                        + "  - {name: db-1, host: host-9}\n");
        for (String[] look :
                new String[][] {{"fleet", "diff", file.toString()}, {"fleet", "apply", file.toString(), "--dry-run"}}) {
            done(look);
            assertTrue(out.toString().contains("added group shop\nadded machine shop-1\n"), out.toString());
            assertTrue(out.toString().contains("moved machine db-1  host: "), out.toString());
            assertTrue(
                    out.toString().endsWith("Would be 2 added, 1 moved. Dry run: nothing was changed.\n"),
                    out.toString());
            assertEquals(ExitCode.REFUSED, run("group", "show", "shop"));
        }
        done("fleet", "diff", file.toString(), "--prune");
        assertTrue(out.toString().contains("removed group web\n"), out.toString());
        assertTrue(out.toString().contains("removed machine FrontEnd_IN_0\n"), out.toString());
        done("fleet", "apply", file.toString());
        assertTrue(out.toString().endsWith("2 added, 1 moved.\n"), out.toString());
        done("fleet", "apply", file.toString());
        assertEquals("No changes.\n", out.toString());
        done("group", "show", "shop");
        StringBuilder many = new StringBuilder("machines:\n");
        for (int i = 0; i < 30; i++) {
            many.append("  - {name: many-").append(i).append("}\n");
        }
        Files.writeString(file, many);
        done("fleet", "apply", file.toString());
        assertTrue(out.toString().contains("and 10 more; --json lists the first 30\n30 added.\n"), out.toString());
    }

    @Test
    void thePolicyOfAWholeTenantIsNotRemovedByTheWay() {
        done("policy", "set", "--notice", "20m");
        assertEquals(ExitCode.WRONG_USAGE, run("policy", "remove"));
        assertTrue(err.toString().contains("the whole tenant default (notice=20m); use --all"), err.toString());
        done("policy", "list");
        assertTrue(out.toString().contains("notice=20m"), out.toString());
        assertEquals(ExitCode.WRONG_USAGE, run("policy", "remove", "--all", "--group", "web"));
        done("policy", "remove", "--all");
        done("policy", "list");
        assertFalse(out.toString().contains("notice=20m"), out.toString());
    }

    @Test
    void aLongListIsAPageUnlessAllIsAskedFor() throws Exception {
        StringBuilder many = new StringBuilder("machines:\n");
        for (int i = 0; i < 120; i++) {
            many.append("  - {name: many-").append(i).append("}\n");
        }
        Path file = Files.writeString(folder.resolve("fleet.yaml"), many);
        done("fleet", "apply", file.toString());
        for (String list : new String[] {"vm", "group"}) {
            done(list, "list");
            assertEquals(100, rows(), out.toString());
            assertTrue(err.toString().contains("The first 100 are shown; use --all"), err.toString());
            done(list, "list", "--all");
            int all = rows();
            assertTrue(all > 120, out.toString());
            assertEquals("", err.toString());
            done(list, "list", "--limit", "7");
            assertEquals(7, rows());
            done(list, "list", "--json");
            assertEquals(all, out.toString().split("\"name\":", -1).length - 1, out.toString());
            done(list, "list", "--limit", String.valueOf(all));
            assertEquals("", err.toString());
        }
        assertEquals(ExitCode.WRONG_USAGE, run("vm", "list", "--limit", "0"));
        assertEquals(ExitCode.WRONG_USAGE, run("vm", "list", "--limit", "5", "--all"));
        for (String[] command : new String[][] {{"event", "list"}, {"report", "notice"}, {"rollout", "show", "x"}}) {
            String[] asked = Arrays.copyOf(command, command.length + 1);
            asked[command.length] = "--all";
            assertEquals(command[0].equals("rollout") ? ExitCode.REFUSED : ExitCode.DONE, run(asked), err.toString());
        }
    }

    @Test
    void aReportOfManyEventsIsAPageWithTheFiguresOfAll() {
        for (int i = 0; i < 3; i++) {
            done("vm", "freeze", "FrontEnd_IN_0");
            done("event", "cancel", id());
        }
        done("report", "notice", "--limit", "2");
        assertTrue(out.toString().contains("3 events: "), out.toString());
        assertTrue(err.toString().contains("The first 2 are shown"), err.toString());
        assertEquals(2, ID.matcher(out.toString()).results().count(), out.toString());
    }

    /** Of a table, however many lines each has. */
    private int rows() {
        return (int)
                out.toString().lines().skip(1).filter(l -> !l.startsWith(" ")).count();
    }

    @Test
    void wrongValuesAreWrongUsage() {
        String[][] wrong = {
            {"vm", "list", "--polling", "nope"},
            {"vm", "restart", "db-1", "--notice", "soon"},
            {"clock", "advance", "nonsense"},
            {"history", "--since", "yesterday"},
            {"token", "add", "x", "--role", "king"},
            {"rollout", "plan", "--type", "paint", "--hosts", "*"},
            {"event", "show", "ab"}
        };
        for (String[] each : wrong) {
            assertEquals(ExitCode.WRONG_USAGE, run(each), () -> String.join(" ", each) + ": " + err);
        }
        assertEquals(ExitCode.REFUSED, run("vm", "restart", "nobody"));
    }

    private String document() throws Exception {
        URI uri = URI.create("http://" + service.metadata() + "/metadata/scheduledevents?api-version=2020-07-01");
        HttpRequest ask = HttpRequest.newBuilder(uri).header("Metadata", "true").build();
        return HttpClient.newHttpClient()
                .send(ask, HttpResponse.BodyHandlers.ofString())
                .body();
    }
}
