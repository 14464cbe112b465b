package io.forewarn.server.forward;

import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * This node, and the current writer as far as this node knows.
 *
 * @param own this node's name
 * @param writer the name of the elected node
 * @param writes whether this node is the writer by now
 * @param bootId the id of a node's current run, which signatures for it include; null if not known yet
 * @param known the last commit this node knows of
 */
public record WriterLocator(
        Supplier<String> own,
        Supplier<Optional<String>> writer,
        BooleanSupplier writes,
        UnaryOperator<String> bootId,
        LongSupplier known) {
    /** False while there is no writer: the last one may still answer, and knows the outcome. */
    boolean isLost(String node, String itsBootId) {
        String now = bootId.apply(node);
        return writer.get().filter(other -> !other.equals(node)).isPresent() || now != null && !now.equals(itsBootId);
    }
}
