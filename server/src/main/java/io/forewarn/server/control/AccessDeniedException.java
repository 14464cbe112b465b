package io.forewarn.server.control;

import io.forewarn.core.Problem;
import io.forewarn.core.RefusedException;

/** Reports that the caller's role or tenant does not allow a request. Audited even for reads. */
final class AccessDeniedException extends RefusedException {
    private static final long serialVersionUID = 1;

    AccessDeniedException(Problem problem, String sentence) {
        super(problem, sentence);
    }
}
