package io.forewarn.wire.control;

import java.util.List;

/**
 * Which dead letters to try again.
 *
 * @param letters their ids; left out, all
 */
public record ResendRequest(List<String> letters) {}
