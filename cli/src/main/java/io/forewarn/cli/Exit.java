package io.forewarn.cli;

import io.forewarn.core.Problem;
import io.forewarn.core.RefusedException;
import io.forewarn.wire.control.Json;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import picocli.CommandLine;

/** How the command ends. Nothing else decides an exit code. */
final class Exit {
    static final int DONE = 0;
    static final int REFUSED = 1;
    static final int WRONG_USAGE = 2;
    static final int NOT_REACHABLE = 3;
    /** {@code serve} ended by a fault of its own. */
    static final int BROKEN = 4;

    private Exit() {}

    static int explain(Exception failure, CommandLine command, String[] args) throws Exception {
        if (failure instanceof Unreachable) {
            command.getErr().println(Visible.line(failure.getMessage()));
            return NOT_REACHABLE;
        }
        if (failure instanceof Refused refused) {
            if (Arrays.asList(args).contains("--json")) {
                command.getErr().println(new String(Json.write(refused.error()), StandardCharsets.UTF_8));
            } else {
                refused.lines().forEach(command.getErr()::println);
            }
            return refused.wrongValue() ? WRONG_USAGE : REFUSED;
        }
        if (failure instanceof RefusedException refusal) {
            command.getErr().println(failure.getMessage());
            return refusal.problem() == Problem.BAD_INPUT ? WRONG_USAGE : REFUSED;
        }
        throw failure;
    }
}
