package io.forewarn.wire.control;

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
        long page, String at, ActorBody by, String request, String outcome, String problem, String reason) {}
