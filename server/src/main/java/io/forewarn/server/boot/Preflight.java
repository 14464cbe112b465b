package io.forewarn.server.boot;

import io.forewarn.core.RefusedException;
import io.forewarn.core.engine.Store;
import io.forewarn.core.engine.StoreException;
import io.forewarn.server.http.BindErrors;
import io.forewarn.server.settings.ClusterSettings;
import io.forewarn.server.settings.Settings;
import io.forewarn.server.settings.StoreSettings;
import io.forewarn.server.store.StoreFactory;
import io.forewarn.wire.control.FindingsBody.Finding;
import io.forewarn.wire.control.HostPort;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Checks before a start whether the ports are free, the store can be opened and the files exist. */
public final class Preflight {
    private final Settings settings;
    private final List<Finding> findings = new ArrayList<>();

    public Preflight(Settings settings) {
        this.settings = settings;
    }

    public List<Finding> findings() {
        port("metadata", settings.listen().metadata());
        port("control", settings.listen().control());
        store(settings.store());
        address();
        file("fleet file", settings.fleet().file());
        file("TLS certificate", settings.listen().tlsCert());
        file("TLS key", settings.listen().tlsKey());
        return findings;
    }

    private void port(String name, HostPort listen) {
        try (ServerSocket socket = new ServerSocket()) {
            socket.setReuseAddress(true);
            socket.bind(new InetSocketAddress(InetAddress.getByName(listen.host()), listen.port()));
        } catch (IOException taken) {
            findings.add(new Finding(
                    "port",
                    "the " + name + " address " + listen + " cannot be listened on: " + BindErrors.why(listen, taken),
                    "end what listens there, or give serve another: --" + name + " HOST:PORT"));
        }
    }

    private void store(StoreSettings store) {
        if (!store.shared() && !Files.exists(store.sqlite())) {
            return;
        }
        try (Store open = StoreFactory.open(store)) {
            open.scan("", "", 1, (key, value) -> {});
        } catch (StoreException | RefusedException wrong) {
            String fix = store.shared()
                    ? "mend what it names, or name another: --store etcd:URL,URL,URL"
                    : "end the server that uses it, serve it with the release that wrote it, or name another: --store sqlite:PATH";
            findings.add(new Finding("store", wrong.getMessage(), fix));
        }
    }

    private void address() {
        if (settings.store().shared()) {
            HostPort.parse(settings.cluster().advertise())
                    .or(() -> Optional.of(settings.listen().control()))
                    .flatMap(
                            node -> ClusterSettings.doubt(node, settings.store().urls()))
                    .ifPresent(why -> findings.add(new Finding("node", why, ClusterSettings.REACHABLE)));
        }
    }

    private void file(String what, String path) {
        if (!path.isBlank() && !Files.isReadable(Path.of(path))) {
            findings.add(new Finding(
                    "file", "the " + what + " " + path + " cannot be read", "correct its path or its permissions"));
        }
    }
}
