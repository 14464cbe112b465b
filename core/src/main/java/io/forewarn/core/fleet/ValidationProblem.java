package io.forewarn.core.fleet;

/**
 * One thing wrong with a file.
 *
 * @param line 0 if it is nowhere in particular
 */
public record ValidationProblem(int line, String sentence) {
    @Override
    public String toString() {
        return line > 0 ? "line " + line + ": " + sentence : sentence;
    }
}
