package io.forewarn.wire.control;

import io.forewarn.core.event.Cause;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Lists the actions on machines and their command words. */
public enum Action {
    RESTART("restart", Cause.RESTART),
    REDEPLOY("redeploy", Cause.REDEPLOY),
    FREEZE("freeze", Cause.FREEZE),
    PREEMPT("preempt", Cause.PREEMPT),
    TERMINATE("terminate", Cause.TERMINATE),
    FAIL("fail", Cause.FAILURE);

    static final String LIST = "restart, redeploy, freeze, preempt, terminate or fail";

    private final String word;
    private final Cause cause;

    Action(String word, Cause cause) {
        this.word = word;
        this.cause = cause;
    }

    public String word() {
        return word;
    }

    public Cause cause() {
        return cause;
    }

    public static Optional<Action> of(String word) {
        return Arrays.stream(values()).filter(a -> a.word.equals(word)).findFirst();
    }

    public static List<String> words() {
        return Arrays.stream(values()).map(Action::word).toList();
    }
}
