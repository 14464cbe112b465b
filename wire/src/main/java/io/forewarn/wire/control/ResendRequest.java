package io.forewarn.wire.control;

import java.util.List;

/**
 * The dead letters to resend.
 *
 * @param ids ids of dead letters; default: all
 */
public record ResendRequest(List<String> ids) {}
