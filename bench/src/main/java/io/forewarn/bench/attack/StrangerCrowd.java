package io.forewarn.bench.attack;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;

/** Connections of addresses that belong to no machine, on one thread. Closes them all when it is closed. */
final class StrangerCrowd implements AutoCloseable {
    private final int port;
    private final List<SocketChannel> open = new ArrayList<>();
    private int refused;

    StrangerCrowd(int port) {
        this.port = port;
    }

    /** 127.200.0.1 and following. */
    static String address(int number) {
        return "127.200." + number / 250 + "." + (1 + number % 250);
    }

    /** So many connections of each of so many addresses; each sends what it is given, as far as the service takes it. */
    void storm(int addresses, int each, byte[] bytes) {
        for (int i = 0; i < each; i++) {
            for (int a = 0; a < addresses; a++) {
                try {
                    connect(address(a), bytes);
                } catch (IOException closedOnUs) {
                    refused++;
                }
            }
        }
    }

    private void connect(String from, byte[] bytes) throws IOException {
        SocketChannel channel = SocketChannel.open();
        open.add(channel);
        channel.bind(new InetSocketAddress(from, 0));
        channel.connect(new InetSocketAddress("127.0.0.1", port));
        channel.configureBlocking(false);
        channel.write(ByteBuffer.wrap(bytes));
    }

    /** How many were made, also those that the service has closed since. */
    int made() {
        return open.size() - refused;
    }

    /** Gives back what they hold, so that others of the same process may connect. */
    void leave() throws IOException {
        for (SocketChannel channel : open) {
            channel.close();
        }
    }

    @Override
    public void close() throws IOException {
        leave();
    }
}
