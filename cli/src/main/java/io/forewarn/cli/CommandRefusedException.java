package io.forewarn.cli;

import io.forewarn.core.Problem;
import io.forewarn.wire.control.EnumNames;
import io.forewarn.wire.control.ErrorBody;
import java.util.ArrayList;
import java.util.List;

/** The server said no, or the command line itself did. */
final class CommandRefusedException extends RuntimeException {
    private final transient ErrorBody error;

    CommandRefusedException(ErrorBody error) {
        super(error.error(), null, false, false);
        this.error = error;
    }

    CommandRefusedException(String sentence) {
        this(new ErrorBody(sentence, "refused", null));
    }

    /** A value on the command line that makes no sense. */
    static CommandRefusedException wrong(String sentence) {
        return new CommandRefusedException(new ErrorBody(sentence, EnumNames.of(Problem.BAD_INPUT), null));
    }

    /** Whether the caller must write something else, as opposed to something that is not so now or is not allowed. */
    boolean wrongValue() {
        return EnumNames.of(Problem.BAD_INPUT).equals(error.problem());
    }

    ErrorBody error() {
        return error;
    }

    List<String> lines() {
        List<String> lines = new ArrayList<>();
        lines.add(ControlCharacters.line(error.error()));
        if (error.faults() != null) {
            error.faults().forEach(fault -> lines.add("  " + ControlCharacters.line(fault)));
        }
        return lines;
    }
}
