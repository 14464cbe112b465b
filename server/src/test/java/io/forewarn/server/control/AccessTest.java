package io.forewarn.server.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.fasterxml.jackson.databind.JsonNode;
import io.forewarn.core.access.Role;
import io.forewarn.server.control.AccessSamples.Ask;
import io.forewarn.server.control.ControlHarness.Reply;
import io.forewarn.wire.control.EnumNames;
import io.forewarn.wire.control.Route;
import io.forewarn.wire.control.RouteAccess;
import io.forewarn.wire.guest.GuestRoute;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Asks a running service for every route as everybody, about something of one tenant, and prints what each was answered as
 * {@code docs/access.md}.
 */
final class AccessTest {
    private static final Path PAGE = Path.of("../docs/access.md");
    private static final String OWN = "shop";
    private static final String OTHER = "bank";
    private static final String YES = "yes";
    private static final String NOTHING_OF_IT = "own";
    private static final String MACHINE = "127.0.9.1";
    private static final String NEIGHBOUR = "127.0.9.2";
    private static final String STRANGER = "127.0.9.9";

    /** Everybody who may ask, seen from the tenant the request is about. */
    private enum Who {
        NO_TOKEN(null, ""),
        EXPIRED(null, ""),
        REVOKED(null, ""),
        CALENDAR(Role.CALENDAR, OWN),
        OTHER_CALENDAR(Role.CALENDAR, OTHER),
        VIEWER(Role.VIEWER, OWN),
        OTHER_VIEWER(Role.VIEWER, OTHER),
        VIEWER_OF_ALL(Role.VIEWER, "*"),
        OWNER(Role.OWNER, OWN),
        OTHER_OWNER(Role.OWNER, OTHER),
        OPERATOR(Role.OPERATOR, "*");

        private final Role role;
        private final String tenant;

        Who(Role role, String tenant) {
            this.role = role;
            this.tenant = tenant;
        }

        boolean other() {
            return tenant.equals(OTHER);
        }
    }

    @TempDir
    private Path folder;

    private final Map<Who, String> secrets = new EnumMap<>(Who.class);
    private ControlHarness harness;

    @BeforeEach
    void open() throws Exception {
        harness = new ControlHarness(
                folder,
                Map.of(
                        "notifications.allowed-targets", "127.0.0.0/8",
                        "notifications.smtp.host", "127.0.0.1",
                        "notifications.smtp.port", "9",
                        "notifications.smtp.from", "forewarn@example.org"));
        harness.put("/v1/fleet", """
                machines:
                  - {name: marked-own, tenant: shop, host: marked-host, addresses: [127.0.9.1]}
                  - {name: marked-too, tenant: shop}
                  - {name: theirs, tenant: bank, addresses: [127.0.9.2]}
                """);
        harness.post("/v1/policies", "{\"tenant\":\"shop\",\"userOperations\":1000}");
        harness.post("/v1/machines/shop%2Fmarked-own/restart", "");
        harness.post(
                "/v1/policies",
                "{\"group\":\"shop/marked-own\",\"notice\":\"20m\",\"blackouts\":[\"2199-12-30..2199-12-31\"]}");
        harness.post("/v1/rollouts", "{\"name\":\"marked\",\"type\":\"reboot\",\"groups\":[\"shop/marked-own\"]}");
        secrets.put(Who.NO_TOKEN, null);
        secrets.put(Who.EXPIRED, token("old", "{\"name\":\"old\",\"expiresIn\":\"1s\"}"));
        secrets.put(Who.REVOKED, token("gone", "{\"name\":\"gone\"}"));
        harness.delete("/v1/tokens/gone");
        harness.post("/v1/clock/advance", "{\"by\":\"2s\"}");
        for (Who who : Who.values()) {
            if (who.role != null) {
                String name = (who.tenant.equals(OWN) ? AccessSamples.MARK + "-" : "their-") + EnumNames.of(who);
                secrets.put(
                        who,
                        token(
                                name,
                                "{\"name\":\"%s\",\"role\":\"%s\",\"tenant\":\"%s\"}"
                                        .formatted(name, EnumNames.of(who.role), who.tenant)));
            }
        }
    }

    @AfterEach
    void close() {
        harness.close();
    }

    private String token(String name, String body) throws Exception {
        Reply made = harness.post("/v1/tokens", body);
        assertEquals(200, made.status(), name + made.json());
        return made.json().path("secret").asText();
    }

    @Test
    void everyRouteAnswersEveryRoleAsTheAccessPageSays() throws Exception {
        String page = page(table(), guestTable());
        if (Boolean.getBoolean("docs.update")) {
            Files.writeString(PAGE, page);
        }
        assertEquals(Files.readString(PAGE), page, "docs/access.md is stale: run this test with -Ddocs.update=true");
    }

    private Map<Route, Map<Who, String>> table() throws Exception {
        AccessSamples samples = new AccessSamples(harness, OWN);
        Map<Route, Map<Who, String>> table = new EnumMap<>(Route.class);
        for (Route route : Route.values()) {
            Map<Who, String> row = new EnumMap<>(Who.class);
            for (Who who : Who.values()) {
                Reply reply = as(who, samples.ask(route));
                String told = told(route, reply);
                row.put(who, told);
                assertEquals(
                        expected(route, who, told),
                        told,
                        route + " as " + who + ": " + reply.response().body());
            }
            table.put(route, row);
        }
        return table;
    }

    /** What follows from the row, so that no wrong answer gets printed. */
    private static String expected(Route route, Who who, String told) {
        if (route.access() == RouteAccess.OPEN) {
            return YES;
        }
        if (who.role == null) {
            return "401";
        }
        if (!route.access().allows(who.role, who.tenant.equals("*"))) {
            return "403";
        }
        boolean aboutNobody =
                switch (route) {
                    case OPENAPI, CLOCK, SESSION, SESSION_START, SESSION_END, SESSION_LINK -> true;
                    default -> false;
                };
        return !who.other() || aboutNobody ? YES : told.equals("404") ? "404" : NOTHING_OF_IT;
    }

    private static String told(Route route, Reply reply) {
        if (reply.status() != 200) {
            return String.valueOf(reply.status());
        }
        boolean shown =
                switch (route) {
                    case STATUS, TENANTS, TENANT ->
                        reply.json().findValue("machines").asInt() > 1
                                || reply.json().findPath("tenants").size() > 1
                                || reply.json().findPath("name").asText().equals(OWN);
                    case HEALTH,
                            READY,
                            OPENAPI,
                            CLOCK,
                            SESSION,
                            SETTINGS,
                            CLOCK_ADVANCE,
                            CLOCK_SET,
                            CLOCK_REPAIR,
                            METRICS,
                            DOCTOR,
                            AUDIT_VERIFY,
                            WEBHOOK_DEAD_LETTERS,
                            MAIL_SUBSCRIPTION_DEAD_LETTERS -> true;
                    default ->
                        !route.method().equals("GET") || reply.response().body().contains(AccessSamples.MARK);
                };
        return shown ? YES : NOTHING_OF_IT;
    }

    private Reply as(Who who, Ask ask) throws Exception {
        return harness.ask(ask.route().method(), ask.path(), ask.body(), secrets.get(who), Map.of());
    }

    @Test
    void objectsOfOtherTenantsAreReportedAsNonExistent() throws Exception {
        AccessSamples theirs = new AccessSamples(harness, OWN);
        AccessSamples nobodys = new AccessSamples(harness, AccessSamples.NOBODY);
        for (Who who : new Who[] {Who.OTHER_VIEWER, Who.OTHER_OWNER}) {
            for (Route route : Route.values()) {
                if (route == Route.METRICS) {
                    continue;
                }
                Reply there = as(who, theirs.ask(route));
                Reply nowhere = as(who, nobodys.ask(route));
                assertEquals(nowhere.status(), there.status(), route + " as " + who);
                assertEquals(plain(nowhere), plain(there), route + " as " + who);
            }
        }
    }

    private static String plain(Reply reply) {
        return reply.response()
                .body()
                .replaceAll("[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}", "ID")
                .replace(AccessSamples.NOBODY, OWN)
                .replaceAll(AccessSamples.MARK + "-\\d+", AccessSamples.MARK)
                .replaceAll("id: \\d+\\.\\d+", "")
                .replaceAll("\"(uptime|uptimeSeconds|epoch|queued|now|code|expiresAt)\":[^,}]*", "");
    }

    @Test
    void namingTheOtherTenantInAListIsNoWayIn() throws Exception {
        for (Route route : Route.values()) {
            if (route.query().contains("tenant")
                    && route.list().isPresent()
                    && !route.template().contains("{")) {
                for (Who who : new Who[] {Who.OTHER_VIEWER, Who.OTHER_OWNER}) {
                    Reply reply = as(who, new Ask(route, route.uri() + "?tenant=" + OWN, ""));
                    assertEquals(
                            route.access().allows(who.role, false) ? 404 : 403, reply.status(), route + " as " + who);
                    assertFalse(reply.response().body().contains(AccessSamples.MARK));
                }
            }
        }
    }

    // Machines

    private Map<GuestRoute, Map<String, String>> guestTable() throws Exception {
        Map<GuestRoute, Map<String, String>> table = new EnumMap<>(GuestRoute.class);
        harness.post("/v1/rollouts/marked/abort", "");
        harness.post("/v1/policies", "{\"tenant\":\"shop\",\"guestPostponements\":\"9x1h\"}");
        for (GuestRoute route : GuestRoute.values()) {
            Map<String, String> row = new LinkedHashMap<>();
            row.put("machine", guest(MACHINE, route, ""));
            row.put("another's machine", guest(NEIGHBOUR, route, ""));
            row.put("stranger", guest(STRANGER, route, ""));
            row.put(
                    "stranger with a token",
                    guest(STRANGER, route, "Authorization: Bearer " + secrets.get(Who.OPERATOR) + "\r\n"));
            assertEquals("403", row.get("stranger"), route.name());
            assertEquals("403", row.get("stranger with a token"), route.name());
            assertEquals(YES, row.get("machine"), route.name());
            table.put(route, row);
        }
        return table;
    }

    /** The only one of its group, announced and nothing more. */
    private String freshEvent() throws Exception {
        for (JsonNode open :
                harness.get("/v1/events?group=shop%2Fmarked-own").json().path("events")) {
            harness.post("/v1/events/" + open.path("id").asText() + "/approve", "");
        }
        harness.post("/v1/clock/advance", "{\"by\":\"10m\"}");
        Reply restarted = harness.post("/v1/machines/shop%2Fmarked-own/restart", "");
        assertEquals(200, restarted.status(), restarted.error());
        return restarted.json().at("/events/0/id").asText();
    }

    private String guest(String address, GuestRoute route, String header) throws Exception {
        String event = freshEvent();
        String body = route == GuestRoute.POSTPONE ? "{\"by\":\"1m\"}" : "";
        String request = route.method() + " " + route.template().replace("{id}", event) + " HTTP/1.1\r\nHost: x\r\n"
                + "Metadata: true\r\nConnection: close\r\n" + header + "Content-Length: " + body.length() + "\r\n\r\n"
                + body;
        try (Socket socket = new Socket(
                InetAddress.getByName(harness.service().metadata().host()),
                harness.service().metadata().port(),
                InetAddress.getByName(address),
                0)) {
            socket.setSoTimeout(10_000);
            socket.getOutputStream().write(request.getBytes(StandardCharsets.UTF_8));
            String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            String status = answer.substring(9, 12);
            boolean shown = route != GuestRoute.EVENTS || answer.contains(event);
            return !status.equals("200") ? status : shown ? YES : NOTHING_OF_IT;
        }
    }

    // The page

    private static String page(Map<Route, Map<Who, String>> table, Map<GuestRoute, Map<String, String>> guests) {
        StringBuilder page = new StringBuilder("""
                # Access: roles and requests

                Generated by `AccessTest`, which calls every route of a running service in every role; do not edit. Each request is for an object that belongs to one tenant. The columns `calendar`, `viewer` and `owner` use tokens of that tenant; `other calendar`, `other viewer` and `other owner` use tokens of another tenant.

                `yes`: the request is carried out. `own`: the answer contains only the caller's own objects. `401`: the token is missing, expired or
                revoked. `403`: the role is not sufficient. `404`: the answer is the same as for an object that does not exist. `400`: means the same as `404`, but only for `ready`, which answers 400 for an unknown event, as Azure's approval request does.

                | request | minimum |""");
        for (Who who : Who.values()) {
            page.append(' ').append(EnumNames.of(who).replace('-', ' ')).append(" |");
        }
        page.append("\n|---|---|").append("---|".repeat(Who.values().length)).append('\n');
        table.forEach((route, row) -> {
            page.append("| `%s %s` | %s |".formatted(route.method(), route.template(), EnumNames.of(route.access())));
            row.values().forEach(cell -> page.append(' ').append(cell).append(" |"));
            page.append('\n');
        });
        page.append("\nThe values of the column `minimum`, and who may make such a request:\n\n");
        for (RouteAccess routeAccess : RouteAccess.values()) {
            page.append("- `%s`: %s\n".formatted(EnumNames.of(routeAccess), routeAccess.who()));
        }
        page.append("""

                ## Machines

                Requests from machines need no token, and a token changes nothing: Forewarn identifies a machine by its address, its listener or a header signed by its host ([identity.md](identity.md)). A machine gets answers about its own group only.

                | request | machine | other tenant's machine | unknown client | unknown client with a token |
                |---|---|---|---|---|
                """);
        guests.forEach((route, row) -> {
            page.append("| `%s %s` |".formatted(route.method(), route.template()));
            row.values().forEach(cell -> page.append(' ').append(cell).append(" |"));
            page.append('\n');
        });
        return page.toString();
    }
}
