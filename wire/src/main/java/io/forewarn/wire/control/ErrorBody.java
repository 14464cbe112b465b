package io.forewarn.wire.control;

import java.util.List;

/**
 * An error.
 *
 * @param error what was wrong and what would be right
 * @param problem kind of the error, such as conflict or not-found
 * @param details each error, if there are several
 */
public record ErrorBody(String error, String problem, List<String> details) {}
