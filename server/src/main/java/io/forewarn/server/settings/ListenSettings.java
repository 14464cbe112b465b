package io.forewarn.server.settings;

import io.forewarn.core.Problem;
import io.forewarn.core.RefusedException;
import io.forewarn.wire.control.HostPort;
import java.util.HashSet;
import java.util.Set;

/**
 * Where the service listens. Port 0 takes any free one.
 *
 * @param metadata listen address of the metadata endpoint
 * @param control listen address of the control API
 * @param tlsCert PEM file with the control listener's certificate chain; blank for plain HTTP
 * @param tlsKey PEM file with the private key of that certificate
 * @param controlConnectionsPerSource how many connections to the control listener one address may have open; 0 for no limit
 * @param controlHostNames names with a dot that the control listener accepts as {@code Host}; it always accepts addresses,
 *     {@code localhost}, names without a dot, the names in its certificate and the name in {@code cluster.advertise}
 */
public record ListenSettings(
        HostPort metadata,
        HostPort control,
        String tlsCert,
        String tlsKey,
        int controlConnectionsPerSource,
        Set<String> controlHostNames) {
    static final ListenSettings DEFAULTS =
            new ListenSettings(new HostPort("127.0.0.1", 8169), new HostPort("127.0.0.1", 8170), "", "", 256, Set.of());

    public ListenSettings {
        if (tlsCert.isBlank() != tlsKey.isBlank()) {
            throw new RefusedException(Problem.BAD_INPUT, "tls-cert and tls-key go together: give both or neither");
        }
    }

    /** The same, also listening to another name; blank for none. */
    public ListenSettings named(String name) {
        Set<String> names = new HashSet<>(controlHostNames);
        if (!name.isBlank()) {
            names.add(name);
        }
        return new ListenSettings(metadata, control, tlsCert, tlsKey, controlConnectionsPerSource, names);
    }

    public boolean tls() {
        return !tlsCert.isBlank();
    }
}
