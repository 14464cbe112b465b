package io.forewarn.core;

import java.util.concurrent.CompletionException;

/** A command that was not carried out and changed nothing. */
public class RefusedException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final Problem problem;

    /**
     * @param problem who must act
     * @param sentence names the thing, what was wrong, and what would be right
     */
    public RefusedException(Problem problem, String sentence) {
        super(MessageShortener.shortened(sentence), null, false, false);
        this.problem = problem;
    }

    public Problem problem() {
        return problem;
    }

    /** What went wrong with a step of a future: itself, or what is wrapped in what the future makes of it. */
    public static Throwable causeOf(Throwable failure) {
        return failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
    }
}
