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

                This page is printed from `Transition`, the table that the rules follow; no other transition is possible.
                Machines see only *Scheduled* and *Started*. A transition that counts raises the document's incarnation by one.
                *Unseen* means that the event is not shown, because its group is not enabled.

                ```mermaid
                stateDiagram-v2
                %s
                ```

                | from | transition | to | counts | when |
                |---|---|---|---|---|
                %s

                ## When work meets an open event

                This table shows what happens to new work on a machine that has an open event, if nothing else holds it and everything gets its minimum notice. Restart, redeploy and deletion are owners' requests;
                `OverlappingWorkTest` tests every cell. *Goes first*: it starts before the open event, which waits for it and keeps its id. *Follows*: it is scheduled alongside the open event and starts when that event is over; a unit of a rollout gets a later turn and is shown when its notice begins.
                *Waits, then follows*: it is scheduled only when the open event is over. *Ends it*: the open event is gone. *Joins it*: it becomes part of the open event; when that event is over, the new work is done too, or the machine is preempted. *Is dropped*: it is not carried out, because the machine is gone. *Is the same*: the request is answered with the open event. –: the case cannot occur.

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
