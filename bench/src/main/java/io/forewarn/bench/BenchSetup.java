package io.forewarn.bench;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Where things are while we measure.
 *
 * @param work a folder that may be filled
 * @param program {@code ./forewarn}
 * @param wireMock its jar
 * @param quick a shortened run, for development
 */
public record BenchSetup(Path work, Path program, Path wireMock, boolean quick) {
    /** Not of those the kernel gives to clients: one that asks too early could end up connected to itself. */
    public static int freePort() throws IOException {
        while (true) {
            int port = ThreadLocalRandom.current().nextInt(11_000, 31_000);
            try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getByName("127.0.0.1"))) {
                return socket.getLocalPort();
            } catch (BindException taken) {
                // The next one, then.
            }
        }
    }

    public Path log(String name) {
        return work.resolve(name + ".log");
    }

    public Path folder(String name) throws IOException {
        return Files.createDirectories(work.resolve(name));
    }

    public int rounds(int whole) {
        return quick ? Math.min(2, whole) : whole;
    }

    public int seconds(int whole) {
        return quick ? Math.min(2, whole) : whole;
    }
}
