package io.forewarn.server.forward;

import io.forewarn.core.Problem;
import io.forewarn.core.RefusedException;

/** The request certainly had no effect, because it did not reach the writer: it may be sent again. */
public final class NotDoneException extends RefusedException {
    private static final long serialVersionUID = 1;

    public NotDoneException(String sentence) {
        super(Problem.NOT_WRITER, sentence);
    }
}
