package io.forewarn.server.forward;

import io.forewarn.core.Problem;
import io.forewarn.core.RefusedException;
import io.forewarn.wire.control.EnumNames;
import io.forewarn.wire.control.ErrorBody;
import io.forewarn.wire.control.Json;
import java.io.IOException;
import java.util.Optional;

/**
 * The writer's answer.
 *
 * @param commit the commit that the answer depends on; {@link #NONE} if it names none
 */
public record ForwardedReply(int status, String contentType, String retryAfter, byte[] body, long commit) {
    public static final long NONE = -1;
    private static final int FIRST_REFUSAL = 400;

    public static ForwardedReply of(int status, String contentType, byte[] body) {
        return new ForwardedReply(status, contentType, null, body, NONE);
    }

    public boolean isRefusal() {
        return status >= FIRST_REFUSAL;
    }

    /** Whether the writer decided the request, rather than rejecting the message. */
    boolean isDecided() {
        return commit != NONE;
    }

    /** The refusal in the body; empty if there is none, or it is not understood. */
    public Optional<RefusedException> refusal() {
        try {
            ErrorBody error = Json.answer(ErrorBody.class, body);
            return error == null || error.problem() == null
                    ? Optional.empty()
                    : EnumNames.parse(Problem.class, error.problem())
                            .map(problem -> new RefusedException(
                                    problem,
                                    error.details() == null ? error.error() : String.join("\n", error.details())));
        } catch (IOException | RuntimeException unreadable) {
            return Optional.empty();
        }
    }
}
