package io.forewarn.wire.control;

import java.util.List;

/**
 * Why something was not done.
 *
 * @param error what was wrong and what would be right
 * @param problem who must act, such as conflict or unknown-name
 * @param faults one by one, when there are several
 */
public record ErrorBody(String error, String problem, List<String> faults) {}
