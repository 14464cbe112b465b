package io.forewarn.acceptance.control;

import static io.forewarn.acceptance.control.PrintedPage.tells;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs what {@code docs/people.md} prints of tenants, tokens and the audit log, block by block, and looks at what each says. */
final class PeoplePageIT {
    private static final PrintedPage PAGE = new PrintedPage(Path.of("../docs/people.md"), "Webhooks");

    @TempDir
    private Path folder;

    @Test
    void everyExampleWorksAsPrinted() throws Exception {
        Program program = new Program(folder).with("HOME", folder.toString());
        try (Serving serving = new Serving(program, "--clock", "manual", "--profile", "test")) {
            List<String> said = PAGE.run(program, serving, 6);
            tells(said.get(0), "shop", "till-1, till-2", "viewer", "owner", "2040-04-01T12:00:00Z");
            tells(
                    said.get(1),
                    "till-1",
                    "there is no machine default/db-1",
                    "this needs a viewer of all tenants or an operator",
                    "till-eyes");
            assertFalse(said.get(1).contains("auditor"), said.get(1));
            tells(
                    said.get(2),
                    "FrontEnd_IN_0",
                    "till-2",
                    "this needs an owner or operator",
                    "refused, as it should be");
            tells(said.get(3), "the token is not known here", "refused, as it should be");
            tells(
                    said.get(4),
                    "restart shop/till-1",
                    "add token shop-team, owner of shop until 2040-04-01T12:00:00Z",
                    "person shop-team from 127.0.0.1",
                    "GET /v1/machines/default%2Fdb-1",
                    "remove token till-eyes");
            tells(said.get(5), "intact  yes", "head");
        }
    }
}
