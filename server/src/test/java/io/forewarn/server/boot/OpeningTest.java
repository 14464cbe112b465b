package io.forewarn.server.boot;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class OpeningTest {
    private final List<String> closed = new ArrayList<>();

    @Test
    void onePartThatDoesNotCloseKeepsNoOtherOpen() {
        Opening opening = new Opening();
        opening.add(() -> closed.add("store"));
        opening.add(() -> {
            throw new IllegalStateException("stuck");
        });
        opening.add(() -> closed.add("listeners"));
        List<String> failures = new ArrayList<>();

        opening.undo(failure -> failures.add(failure.getMessage()));
        opening.undo(failure -> failures.add(failure.getMessage()));

        assertEquals(List.of("listeners", "store"), closed);
        assertEquals(List.of("stuck"), failures);
    }
}
