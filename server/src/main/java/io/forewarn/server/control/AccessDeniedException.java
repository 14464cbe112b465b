package io.forewarn.server.control;

import io.forewarn.core.Problem;
import io.forewarn.core.RefusedException;

/** A refusal because of who asks: a role that is not enough, or a tenant that is another's. Audited also of those who only read. */
final class AccessDeniedException extends RefusedException {
    private static final long serialVersionUID = 1;

    AccessDeniedException(Problem problem, String sentence) {
        super(problem, sentence);
    }
}
