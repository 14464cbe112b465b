package io.forewarn.core;

import java.util.concurrent.CompletionException;

/** Reports that a command was refused and changed nothing. */
public class RefusedException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final Problem problem;

    /**
     * @param problem the kind of problem
     * @param sentence names the object, what is wrong, and what would be right
     */
    public RefusedException(Problem problem, String sentence) {
        super(MessageShortener.shortened(sentence), null, false, false);
        this.problem = problem;
    }

    public Problem problem() {
        return problem;
    }

    /** Unwraps the cause of a failed future. */
    public static Throwable causeOf(Throwable failure) {
        return failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
    }
}
