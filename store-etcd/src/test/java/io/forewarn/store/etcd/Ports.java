package io.forewarn.store.etcd;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Ports for what must be told beforehand where to listen, or comes back to where it was. They are not of those the kernel gives
 * to clients or the docs print, and nobody gets one twice: a byte of one file is locked for each until this JVM ends.
 */
public final class Ports {
    private static final int FIRST = 13_000;
    private static final int END = 22_000;

    // Never closed, and the only one: closing any channel to the file would let go of all locks.
    private static FileChannel taken;

    private Ports() {}

    public static synchronized int free() throws IOException {
        while (true) {
            int port = ThreadLocalRandom.current().nextInt(FIRST, END);
            if (isTaken(port)) {
                continue;
            }
            try (ServerSocket free = new ServerSocket(port, 1, InetAddress.getByName("127.0.0.1"))) {
                return free.getLocalPort();
            } catch (BindException usedByOthers) {
                // The next one, then.
            }
        }
    }

    private static boolean isTaken(int port) throws IOException {
        if (taken == null) {
            String name = "forewarn-test-ports-" + System.getProperty("user.name");
            taken = FileChannel.open(
                    Path.of(System.getProperty("java.io.tmpdir"), name),
                    StandardOpenOption.CREATE,
                    StandardOpenOption.WRITE);
        }
        try {
            return taken.tryLock(port, 1, false) == null;
        } catch (OverlappingFileLockException byThisJvm) {
            return true;
        }
    }
}
