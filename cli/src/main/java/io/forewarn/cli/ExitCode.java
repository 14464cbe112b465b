package io.forewarn.cli;

import io.forewarn.core.Problem;
import io.forewarn.core.RefusedException;
import io.forewarn.wire.control.Json;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import picocli.CommandLine;

/** Decides the exit code of every command. */
final class ExitCode {
    static final int DONE = 0;
    static final int REFUSED = 1;
    static final int WRONG_USAGE = 2;
    static final int NOT_REACHABLE = 3;
    /** {@code serve} ended because of an internal error. */
    static final int BROKEN = 4;
    /** {@code wait} ended because its time was up. */
    static final int TIME_UP = 5;

    private ExitCode() {}

    static int explain(Exception failure, CommandLine command, String[] args) throws Exception {
        if (failure instanceof ServerUnreachableException) {
            command.getErr().println(ControlCharacters.line(failure.getMessage()));
            return NOT_REACHABLE;
        }
        if (failure instanceof CommandRefusedException commandRefusedException) {
            if (Arrays.asList(args).contains("--json")) {
                command.getErr()
                        .println(new String(Json.write(commandRefusedException.error()), StandardCharsets.UTF_8));
            } else {
                commandRefusedException.lines().forEach(command.getErr()::println);
            }
            return commandRefusedException.wrongValue() ? WRONG_USAGE : REFUSED;
        }
        if (failure instanceof RefusedException refusal) {
            command.getErr().println(failure.getMessage());
            return refusal.problem() == Problem.BAD_INPUT ? WRONG_USAGE : REFUSED;
        }
        throw failure;
    }
}
