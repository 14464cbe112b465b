package io.forewarn.wire.control;

import java.util.Arrays;
import java.util.List;

/**
 * One line of the audit log.
 *
 * @param page the number of its page
 * @param at when it was decided
 * @param by who made the request
 * @param request what was requested
 * @param outcome done or refused
 * @param problem why it was refused
 * @param reason the error message in the answer
 */
public record AuditEntryBody(
        long page, String at, ActorBody by, String request, String outcome, String problem, String reason) {
    /** The names of its cells. */
    public static final List<String> CELLS =
            List.of("page", "at", "byKind", "byName", "byAddress", "request", "outcome", "problem", "reason");

    public List<String> cells() {
        return Arrays.asList(
                String.valueOf(page),
                at,
                by == null ? null : by.kind(),
                by == null ? null : by.name(),
                by == null ? null : by.address(),
                request,
                outcome,
                problem,
                reason);
    }
}
