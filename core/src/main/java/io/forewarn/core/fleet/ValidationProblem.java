package io.forewarn.core.fleet;

/**
 * Describes a problem in a file.
 *
 * @param line 0 if it concerns no particular line
 */
public record ValidationProblem(int line, String sentence) {
    @Override
    public String toString() {
        return line > 0 ? "line " + line + ": " + sentence : sentence;
    }
}
