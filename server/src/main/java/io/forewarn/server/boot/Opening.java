package io.forewarn.server.boot;

import java.util.ArrayDeque;
import java.util.Deque;

/** What was opened so far, so that a start that fails leaves nothing open. */
final class Opening {
    private final Deque<AutoCloseable> opened = new ArrayDeque<>();

    <T extends AutoCloseable> T add(T part) {
        opened.push(part);
        return part;
    }

    void undo() {
        for (AutoCloseable part : opened) {
            try {
                part.close();
            } catch (Exception ignored) {
                // The failure that led here is the one to tell.
            }
        }
    }
}
