package io.forewarn.core;

/** A command that was not carried out and changed nothing. */
public final class Refusal extends RuntimeException {
    private final Problem problem;

    /**
     * @param problem who must act
     * @param sentence names the thing, what was wrong, and what would be right
     */
    public Refusal(Problem problem, String sentence) {
        super(sentence, null, false, false);
        this.problem = problem;
    }

    public Problem problem() {
        return problem;
    }
}
