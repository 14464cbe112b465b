package io.forewarn.wire.control;

import java.util.List;

/**
 * The dead letters to resend.
 *
 * @param letters ids; default: all
 */
public record ResendRequest(List<String> letters) {}
