package io.forewarn.acceptance.console;

import io.forewarn.wire.control.HostPort;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Passes connections on to one node of a cluster, as a load balancer with one address for all nodes does. */
final class NodeProxy implements AutoCloseable {
    private final ServerSocket listener;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private volatile HostPort node;

    NodeProxy(HostPort first) throws IOException {
        node = first;
        listener = new ServerSocket(0, 50, InetAddress.getByName("127.0.0.1"));
        daemon(this::accept);
    }

    String url() {
        return "http://127.0.0.1:" + listener.getLocalPort();
    }

    /** New connections go to another node; those to the first one are lost. */
    void switchTo(HostPort other) throws IOException {
        node = other;
        for (Socket socket : open) {
            socket.close();
        }
    }

    private void accept() {
        while (!listener.isClosed()) {
            try {
                Socket client = listener.accept();
                open.add(client);
                Socket server = new Socket(node.host(), node.port());
                open.add(server);
                daemon(() -> copy(client, server));
                daemon(() -> copy(server, client));
            } catch (IOException refused) {
                // The client notices, and tries again.
            }
        }
    }

    private void copy(Socket from, Socket to) {
        try (from;
                to) {
            from.getInputStream().transferTo(to.getOutputStream());
        } catch (IOException cut) {
            // The other side is closed as well.
        } finally {
            open.remove(from);
        }
    }

    private static void daemon(Runnable work) {
        Thread thread = new Thread(work, "node-proxy");
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void close() throws IOException {
        listener.close();
        switchTo(node);
    }
}
