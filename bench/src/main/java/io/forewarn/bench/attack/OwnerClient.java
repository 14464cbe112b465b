package io.forewarn.bench.attack;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.forewarn.bench.ForewarnProcess;
import io.forewarn.bench.KeptAliveConnection;
import io.forewarn.wire.control.Json;
import io.forewarn.wire.control.Route;
import io.forewarn.wire.control.TokenBody;
import io.forewarn.wire.control.TokenRequest;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/** Asks as the owner of a tenant, on a connection of its own each time: a refused file may cost the connection. */
final class OwnerClient {
    private final ForewarnProcess server;
    private final String secret;

    private OwnerClient(ForewarnProcess server, String secret) {
        this.server = server;
        this.secret = secret;
    }

    /** Has the operator make a token for it. */
    static OwnerClient of(ForewarnProcess server, String tenant) throws IOException {
        byte[] request = Json.write(new TokenRequest(tenant + "-team", "owner", tenant, null, null, null));
        byte[] answer =
                server.control(Route.TOKEN_ADD, List.of(), request).expect(200).body();
        return new OwnerClient(server, Json.answer(TokenBody.class, answer).secret());
    }

    /** The operator, asking the same way. */
    static OwnerClient operator(ForewarnProcess server) {
        return new OwnerClient(server, server.token());
    }

    int status(Route route, List<String> parts, String body) throws IOException {
        return ask(route, parts, body).status();
    }

    KeptAliveConnection.Answer ask(Route route, List<String> parts, String body) throws IOException {
        try (KeptAliveConnection line = new KeptAliveConnection("127.0.0.1", server.controlPort())) {
            try {
                line.send(request(route, parts, body));
            } catch (IOException refusedMeanwhile) {
                // The answer may be there all the same.
            }
            return line.receive();
        }
    }

    private byte[] request(Route route, List<String> parts, String body) {
        String length = "Content-Length: " + body.getBytes(UTF_8).length + "\r\n";
        return (route.method() + " " + route.uri(parts, Map.of())
                        + " HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer " + secret + "\r\n" + length + "\r\n"
                        + body)
                .getBytes(UTF_8);
    }
}
