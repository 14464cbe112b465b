package io.forewarn.server.forward;

import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * This node, and the one that writes, as far as this one knows.
 *
 * @param own its name
 * @param writer the name of the node that was elected
 * @param writes whether this node does, by now
 * @param bootId what signatures for a node are made out to; null if it has not said so yet
 * @param known the last commit this node knows of
 */
public record WriterLocator(
        Supplier<String> own,
        Supplier<Optional<String>> writer,
        BooleanSupplier writes,
        UnaryOperator<String> bootId,
        LongSupplier known) {
    /** Not if there is no writer at present: the one that was may still answer, and knows best. */
    boolean isLost(String node, String itsBootId) {
        String now = bootId.apply(node);
        return writer.get().filter(other -> !other.equals(node)).isPresent() || now != null && !now.equals(itsBootId);
    }
}
