package io.forewarn.wire;

import io.forewarn.core.Problem;

/** Maps problems to HTTP status codes, for all endpoints. */
public final class ProblemStatus {
    private ProblemStatus() {}

    public static int of(Problem problem) {
        return switch (problem) {
            case BAD_INPUT -> 400;
            case UNAUTHENTICATED -> 401;
            case FORBIDDEN -> 403;
            case NOT_FOUND -> 404;
            case CONFLICT -> 409;
            case TOO_LARGE -> 413;
            case LIMIT_EXCEEDED -> 429;
            case BUSY, STORE_UNAVAILABLE, NOT_READY, NOT_WRITER, OUTCOME_UNKNOWN -> 503;
        };
    }

    /** Whether the same request may succeed later without a change; the response then has {@code Retry-After}. */
    public static boolean passing(Problem problem) {
        return of(problem) == 503;
    }
}
