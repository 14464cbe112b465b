package io.forewarn.acceptance.release;

import static io.forewarn.core.Eventually.eventually;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A network in which only loopback is up, for machines and programs that share it. It ends with one process. */
final class NetworkNamespace implements AutoCloseable {
    private final Process holder;

    NetworkNamespace() throws IOException {
        holder = new ProcessBuilder(
                        "unshare", "--net", "bash", "-c", "ip link set lo up && echo up && exec sleep infinity")
                .start();
        eventually(() -> "no network", () -> holder.getInputStream().available() > 0);
    }

    /** The words that go before a command that runs in it. */
    List<String> inside() {
        return List.of("nsenter", "--net=/proc/" + holder.pid() + "/ns/net");
    }

    /** Starts a command in it, with what it prints in a file. */
    Process start(Path log, String... words) throws IOException {
        List<String> all = new ArrayList<>(inside());
        all.addAll(List.of(words));
        return new ProcessBuilder(all)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
    }

    @Override
    public void close() {
        holder.destroyForcibly().onExit().join();
    }
}
