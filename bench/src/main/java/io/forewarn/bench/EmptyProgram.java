package io.forewarn.bench;

/** Does nothing, so that the start of a JVM can be measured. */
final class EmptyProgram {
    private EmptyProgram() {}

    public static void main(String[] arguments) {
        // Nothing is what it does.
    }
}
