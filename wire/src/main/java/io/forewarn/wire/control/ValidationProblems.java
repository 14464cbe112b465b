package io.forewarn.wire.control;

import io.forewarn.core.NameRules;
import io.forewarn.core.Problem;
import io.forewarn.core.RefusedException;
import io.forewarn.core.fleet.ValidationProblem;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/** Collects the problems of a file, to report them together. Their number is limited: a file may have a million problems. */
public final class ValidationProblems {
    private static final int TOLD = 100;

    private final List<ValidationProblem> list = new ArrayList<>();
    private int more;

    public void add(int line, String sentence) {
        if (list.size() < TOLD) {
            list.add(new ValidationProblem(line, sentence));
        } else {
            more++;
        }
    }

    /** Adds an unknown key, with a suggestion. */
    public void unknownKey(int line, String key, Collection<String> known) {
        String hint = NameRules.nearest(key, known)
                .map(n -> "did you mean '" + n + "'?")
                .orElse("known keys are " + String.join(", ", known));
        add(line, "unknown key '" + key + "'; " + hint);
    }

    /** Stops reading a file at the maximum number of problems: more would not be reported. */
    void refuseIfMany() {
        if (list.size() >= TOLD) {
            throw new RefusedException(
                    Problem.BAD_INPUT, String.join("\n", told()) + "\nwhat follows was not read: too much is wrong");
        }
    }

    public boolean none() {
        return list.isEmpty();
    }

    public List<String> told() {
        List<String> told = new ArrayList<>(list.stream()
                .sorted(Comparator.comparingInt(ValidationProblem::line))
                .map(ValidationProblem::toString)
                .toList());
        if (more > 0) {
            told.add("and " + more + " more");
        }
        return told;
    }

    /** @throws RefusedException with one problem per line, if there are any */
    public void refuse() {
        if (!list.isEmpty()) {
            throw new RefusedException(Problem.BAD_INPUT, String.join("\n", told()));
        }
    }
}
