package io.forewarn.cli;

import io.forewarn.wire.control.ErrorBody;
import java.util.ArrayList;
import java.util.List;

/** The server said no, or the command line itself did. */
final class Refused extends RuntimeException {
    private final transient ErrorBody error;

    Refused(ErrorBody error) {
        super(error.error(), null, false, false);
        this.error = error;
    }

    Refused(String sentence) {
        this(new ErrorBody(sentence, "refused", null));
    }

    ErrorBody error() {
        return error;
    }

    List<String> lines() {
        List<String> lines = new ArrayList<>();
        lines.add(error.error());
        if (error.faults() != null) {
            error.faults().forEach(fault -> lines.add("  " + fault));
        }
        return lines;
    }
}
