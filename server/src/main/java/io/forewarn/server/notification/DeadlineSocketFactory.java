package io.forewarn.server.notification;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.List;
import javax.net.SocketFactory;

/** Creates the sockets for one mail, and closes them all at its deadline, even if a server is still sending. */
final class DeadlineSocketFactory extends SocketFactory {
    private final List<Socket> sockets = new ArrayList<>();
    private boolean blown;

    /** Any thread. */
    synchronized void expire() {
        blown = true;
        for (Socket socket : sockets) {
            try {
                socket.close();
            } catch (IOException alreadyGone) {
                // Which is all that was wanted.
            }
        }
    }

    synchronized boolean isExpired() {
        return blown;
    }

    @Override
    public synchronized Socket createSocket() throws IOException {
        if (blown) {
            throw new SocketException("the time is up");
        }
        Socket socket = new Socket();
        sockets.add(socket);
        return socket;
    }

    // Mail asks for sockets that are not connected, so that it can limit the time of that too.

    @Override
    public Socket createSocket(String host, int port) throws IOException {
        throw new SocketException("only sockets that are not connected yet");
    }

    @Override
    public Socket createSocket(String host, int port, InetAddress from, int fromPort) throws IOException {
        return createSocket(host, port);
    }

    @Override
    public Socket createSocket(InetAddress host, int port) throws IOException {
        return createSocket(host.getHostAddress(), port);
    }

    @Override
    public Socket createSocket(InetAddress host, int port, InetAddress from, int fromPort) throws IOException {
        return createSocket(host.getHostAddress(), port);
    }
}
