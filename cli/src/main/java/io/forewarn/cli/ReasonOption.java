package io.forewarn.cli;

import io.forewarn.wire.control.ReasonRequest;
import picocli.CommandLine.Option;

/** Adds the option {@code --reason} to commands that change what is scheduled. */
final class ReasonOption {
    @Option(
            names = "--reason",
            paramLabel = "TEXT",
            description = "Why, in one line; history, notifications and the audit log show it.")
    private String text;

    /** Null if none was given. */
    String text() {
        return text;
    }

    ReasonRequest request() {
        return new ReasonRequest(text);
    }
}
