package io.forewarn.cli;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.MalformedURLException;
import java.net.Socket;
import java.net.URL;
import java.util.List;

/** Selects the first reachable of several server addresses: any node of a cluster can answer. */
final class NodeSelector {
    private static final int CONNECT_MILLIS = 1_000;

    private NodeSelector() {}

    /** @param urls separated by commas */
    static String of(String urls) {
        List<String> all = List.of(urls.split(","));
        if (all.size() == 1) {
            return urls;
        }
        return all.stream()
                .filter(NodeSelector::listens)
                .findFirst()
                .orElseThrow(() -> new ServerUnreachableException(String.join(" or ", all), "not reachable"));
    }

    private static boolean listens(String address) {
        URL url;
        try {
            url = new URL(address);
        } catch (MalformedURLException wrong) {
            throw CommandRefusedException.wrong(
                    "'" + address + "' is not the address of a server; http://127.0.0.1:8170 would be right");
        }
        int port = url.getPort() < 0 ? url.getDefaultPort() : url.getPort();
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(url.getHost().replaceAll("[\\[\\]]", ""), port), CONNECT_MILLIS);
            return true;
        } catch (IOException nobody) {
            return false;
        }
    }
}
