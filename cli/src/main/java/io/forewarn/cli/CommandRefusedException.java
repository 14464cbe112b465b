package io.forewarn.cli;

import io.forewarn.core.Problem;
import io.forewarn.wire.control.EnumNames;
import io.forewarn.wire.control.ErrorBody;
import java.util.ArrayList;
import java.util.List;

/** Reports that the server, or the command line itself, refused a command. */
final class CommandRefusedException extends RuntimeException {
    private final transient ErrorBody error;

    CommandRefusedException(ErrorBody error) {
        super(error.error(), null, false, false);
        this.error = error;
    }

    CommandRefusedException(String sentence) {
        this(new ErrorBody(sentence, "refused", null));
    }

    /** An invalid value on the command line. */
    static CommandRefusedException wrong(String sentence) {
        return new CommandRefusedException(new ErrorBody(sentence, EnumNames.of(Problem.BAD_INPUT), null));
    }

    /** Whether the command line has to change, as opposed to a state or a permission on the server. */
    boolean wrongValue() {
        return EnumNames.of(Problem.BAD_INPUT).equals(error.problem());
    }

    ErrorBody error() {
        return error;
    }

    List<String> lines() {
        List<String> lines = new ArrayList<>();
        lines.add(ControlCharacters.line(error.error()));
        if (error.details() != null) {
            error.details().forEach(detail -> lines.add("  " + ControlCharacters.line(detail)));
        }
        return lines;
    }
}
