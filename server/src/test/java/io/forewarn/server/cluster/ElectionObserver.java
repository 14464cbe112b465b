package io.forewarn.server.cluster;

import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** Records the callbacks of a leader election. */
final class ElectionObserver implements LeaderElection.Listener {
    volatile int changes;
    volatile Consumer<Map<String, String>> looks = nodes -> {};
    final CompletableFuture<Throwable> death = new CompletableFuture<>();

    @Override
    @SuppressWarnings("NonAtomicVolatileUpdate") // By one thread.
    public void changed() {
        changes++;
    }

    @Override
    public void seen(Map<String, String> nodes) {
        looks.accept(nodes);
    }

    @Override
    public void died(Throwable fault) {
        death.complete(fault);
    }
}
