package io.forewarn.server.boot;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ResourceStackTest {
    private final List<String> closed = new ArrayList<>();

    @Test
    void onePartThatDoesNotCloseKeepsNoOtherOpen() {
        ResourceStack resourceStack = new ResourceStack();
        resourceStack.add(() -> closed.add("store"));
        resourceStack.add(() -> {
            throw new IllegalStateException("stuck");
        });
        resourceStack.add(() -> closed.add("listeners"));
        List<String> failures = new ArrayList<>();

        resourceStack.undo(failure -> failures.add(failure.getMessage()));
        resourceStack.undo(failure -> failures.add(failure.getMessage()));

        assertEquals(List.of("listeners", "store"), closed);
        assertEquals(List.of("stuck"), failures);
    }
}
