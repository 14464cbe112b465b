package io.forewarn.core.event;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.forewarn.core.rules.OverlapTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** {@code docs/lifecycle.md} is printed from the table; {@code -Ddocs.update} prints it anew. */
class LifecyclePageTest {
    private static final Path PAGE = Path.of("..", "docs", "lifecycle.md");

    @Test
    void thePageIsTheTable() throws IOException {
        if (System.getProperty("docs.update") != null) {
            Files.createDirectories(PAGE.getParent());
            Files.writeString(PAGE, page());
        }
        assertEquals(page(), Files.readString(PAGE), "run ./test -Ddocs.update to print docs/lifecycle.md anew");
    }

    private static String page() {
        return """
                # The lifecycle of an event

                This page is generated from `Transition`, the table that the rules follow; no other transition is possible. Machines see only *Scheduled* and *Started*. A transition marked *yes* under *counts* raises the document's incarnation by one. *Unseen* means that machines are not shown the event, because their group is not enabled.

                ```mermaid
                stateDiagram-v2
                %s
                ```

                | from | transition | to | counts | when |
                |---|---|---|---|---|
                %s

                ## New work on a machine with an open event

                This table shows what happens to new work on a machine that already has an open event, provided that nothing else, such as a window or a recovery time, holds either of them, and both get their minimum notice. Restarts, redeploys and deletions are owners' requests. `OverlappingWorkTest` tests every cell.

                - *goes first*: the new work starts before the open event, which waits for it and keeps its id.
                - *follows*: the new work is scheduled alongside the open event and starts when that event is over. A unit of a rollout gets a later turn, and is shown when its notice begins.
                - *waits, then follows*: the new work is scheduled only when the open event is over.
                - *ends it*: the new work ends the open event.
                - *joins it*: the new work becomes part of the open event. When that event ends, the new work counts as done; a preemption then takes the machine.
                - *joins it, then starts*: the same, but a freeze repairs nothing, so the new work starts when the open event ends.
                - *is dropped*: the new work is not carried out, because the machine is gone.
                - *is the same*: no new event is created; the request returns the open one.
                - *–*: this case cannot occur.

                %s
                """.formatted(
                        Arrays.stream(Transition.values())
                                .map(s -> "    " + node(s.from()) + " --> " + node(s.to()) + " : " + word(s))
                                .collect(Collectors.joining("\n")),
                        Arrays.stream(Transition.values())
                                .map(s -> "| " + name(s.from()) + " | " + word(s) + " | " + name(s.to()) + " | "
                                        + (s.counts() ? "yes" : "no") + " | " + s.when() + " |")
                                .collect(Collectors.joining("\n")),
                        OverlapTable.markdown());
    }

    private static String word(Transition transition) {
        return transition.name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }

    private static String name(Phase phase) {
        return phase == null
                ? "—"
                : phase.name().charAt(0) + phase.name().substring(1).toLowerCase(Locale.ROOT);
    }

    private static String node(Phase phase) {
        return phase == null || phase == Phase.ENDED ? "[*]" : name(phase);
    }
}
