package io.forewarn.bench.attack;

import io.forewarn.bench.BenchSetup;
import java.util.List;

/**
 * One attack. It starts its own server, sends a bounded number of requests for a bounded time, and ends everything it started, also
 * when it fails. {@link BenchSetup#quick()} asks for a small one that takes seconds: it is part of {@code ./test}.
 */
public interface Attack {
    /** One word for the command line. */
    String name();

    /** Who does what, with its figures, in one sentence: the second column of the table. */
    String tried(boolean quick);

    /** One finding for each promise that was put to the test. */
    List<AttackFinding> run(BenchSetup setup) throws Exception;
}
