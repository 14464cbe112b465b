package io.forewarn.server.control;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.forewarn.server.control.ControlHarness.Reply;
import io.forewarn.wire.control.Route;
import java.util.Map;
import java.util.UUID;

/**
 * One request for every route, about something of one tenant. The switch has no default: a new route does not compile until
 * somebody has said here how it is asked for.
 */
final class AccessSamples {
    /** What every name of a thing of the tenant contains, and no other. */
    static final String MARK = "marked";

    /** Of whom nothing exists. */
    static final String NOBODY = "nobody";

    record Ask(Route route, String path, String body) {
        static Ask of(Route route, String body, String... parts) {
            return new Ask(route, route.uri(parts), body);
        }
    }

    private final ControlHarness harness;
    private final String tenant;
    private int made;

    AccessSamples(ControlHarness harness, String tenant) {
        this.harness = harness;
        this.tenant = tenant;
    }

    /** Makes what the request is about, if there is to be any, and says how to ask. */
    Ask ask(Route route) throws Exception {
        return switch (route) {
            case HEALTH,
                    READY,
                    METRICS,
                    OPENAPI,
                    STATUS,
                    DOCTOR,
                    GROUPS,
                    HOSTS,
                    MACHINES,
                    EVENTS,
                    POLICIES,
                    POLICY_CLOSED_TIMES,
                    ROLLOUTS,
                    FLEET -> Ask.of(route, "");
            case SETTINGS, SESSION, SESSION_START, SESSION_END, SESSION_LINK -> Ask.of(route, "");
            case HISTORY, REPORT_NOTICE, CLOCK, TOKENS, TENANTS, AUDIT, AUDIT_VERIFY -> Ask.of(route, "");
            case TENANT -> Ask.of(route, "", tenant);
            case TENANT_SET -> Ask.of(route, "{\"hosts\":[\"" + fresh() + "\"]}", tenant);
            case GROUP, GROUP_REMOVE -> Ask.of(route, "", group());
            case HOST -> Ask.of(route, "", host());
            case GROUP_PUT -> Ask.of(route, "{\"updateDomains\":3}", group());
            case FLEET_CELLS -> Ask.of(route, "");
            case SEARCH -> new Ask(route, route.uri() + "?text=" + MARK, "");
            case MACHINE_DOCUMENTS -> {
                String machine = machine();
                setUp(Route.MACHINE_ACTION, "", machine, "restart");
                yield Ask.of(route, "", machine);
            }
            case MACHINE, MACHINE_REMOVE -> Ask.of(route, "", machine());
            case MACHINE_PUT -> Ask.of(route, "{\"spot\":true}", machine());
            case MACHINE_ACTION -> Ask.of(route, "", machine(), "restart");
            case ACTION -> Ask.of(route, "{\"machines\":[\"" + machine() + "\"]}", "restart");
            case EVENT, EVENT_POLICY, EVENT_APPROVE, EVENT_CANCEL -> Ask.of(route, "", event());
            case EVENT_POSTPONE -> Ask.of(route, "{\"by\":\"1h\"}", postponable());
            case POLICY_SET -> Ask.of(route, policy(machine()));
            case POLICY_REMOVE -> {
                String group = machine();
                setUp(Route.POLICY_SET, policy(group));
                yield new Ask(route, route.uri() + "?group=" + group.replace("/", "%2F"), "");
            }
            case ROLLOUT_PLAN, ROLLOUT_START -> Ask.of(route, rollout(fresh(), machine()));
            case ROLLOUT, ROLLOUT_UNITS, ROLLOUT_PAUSE, ROLLOUT_ABORT -> Ask.of(route, "", rolling());
            case ROLLOUT_REMOVE -> {
                String rollout = rolling();
                setUp(Route.ROLLOUT_ABORT, "", rollout);
                yield Ask.of(route, "", rollout);
            }
            case ROLLOUT_RESUME -> {
                String rollout = rolling();
                setUp(Route.ROLLOUT_PAUSE, "", rollout);
                yield Ask.of(route, "", rollout);
            }
            case FLEET_APPLY ->
                Ask.of(route, "machines:\n  - {name: " + fresh() + ", tenant: " + tenant + ", spot: true}\n");
            case CLOCK_ADVANCE -> Ask.of(route, "{\"by\":\"1s\"}");
            case CLOCK_REPAIR -> Ask.of(route, "{}");
            case CLOCK_SET ->
                Ask.of(
                        route,
                        "{\"to\":\""
                                + harness.get("/v1/clock").json().path("now").asText() + "\"}");
            case CALENDAR -> Ask.of(route, "");
            case STREAM -> new Ask(route, route.uri() + "?since=0.0&follow=false", "");
            case WEBHOOKS, WEBHOOK, WEBHOOK_REMOVE, WEBHOOK_TEST, WEBHOOK_DEAD_LETTERS, WEBHOOK_RESEND -> {
                String name = fresh();
                setUp(Route.WEBHOOK_ADD, webhook(name));
                yield route == Route.WEBHOOKS ? Ask.of(route, "") : Ask.of(route, "", tenant + "/" + name);
            }
            case WEBHOOK_ADD -> Ask.of(route, webhook(fresh()));
            case MAIL_SUBSCRIPTIONS,
                    MAIL_SUBSCRIPTION,
                    MAIL_SUBSCRIPTION_REMOVE,
                    MAIL_SUBSCRIPTION_TEST,
                    MAIL_SUBSCRIPTION_DEAD_LETTERS,
                    MAIL_SUBSCRIPTION_RESEND -> {
                String name = fresh();
                setUp(Route.MAIL_SUBSCRIPTION_ADD, mail(name));
                yield route == Route.MAIL_SUBSCRIPTIONS ? Ask.of(route, "") : Ask.of(route, "", tenant + "/" + name);
            }
            case MAIL_SUBSCRIPTION_ADD -> Ask.of(route, mail(fresh()));
            case TOKEN_ADD -> Ask.of(route, token(fresh()));
            case TOKEN_REMOVE -> {
                String name = fresh();
                setUp(Route.TOKEN_ADD, token(name));
                yield Ask.of(route, "", name);
            }
        };
    }

    private String fresh() {
        return MARK + "-" + made++;
    }

    private String group() throws Exception {
        String name = tenant + "/" + fresh();
        setUp(Route.GROUP_PUT, "{\"kind\":\"availability-set\",\"updateDomains\":2}", name);
        return name;
    }

    /** Alone in a group of the same name. */
    private String machine() throws Exception {
        String name = tenant + "/" + fresh();
        setUp(Route.MACHINE_PUT, "{}", name);
        return name;
    }

    /** With one machine on it. */
    private String host() throws Exception {
        String name = fresh();
        setUp(Route.MACHINE_PUT, "{\"host\":\"" + name + "\"}", tenant + "/" + fresh());
        return name;
    }

    private String event() throws Exception {
        String machine = machine();
        return exists()
                ? setUp(Route.MACHINE_ACTION, "", machine, "restart")
                        .json()
                        .at("/events/0/id")
                        .asText()
                : UUID.randomUUID().toString();
    }

    private String postponable() throws Exception {
        setUp(Route.POLICY_SET, "{\"tenant\":\"" + tenant + "\",\"ownerPostponements\":\"3x2h\"}");
        return event();
    }

    private String rolling() throws Exception {
        String name = fresh();
        setUp(Route.ROLLOUT_START, rollout(name, machine()));
        return name;
    }

    private static String rollout(String name, String group) {
        return "{\"name\":\"" + name + "\",\"type\":\"reboot\",\"groups\":[\"" + group + "\"]}";
    }

    private static String policy(String group) {
        return "{\"group\":\"" + group + "\",\"notice\":\"30m\"}";
    }

    private String token(String name) {
        return "{\"name\":\"" + name + "\",\"role\":\"viewer\",\"tenant\":\"" + tenant + "\"}";
    }

    /** Where nobody listens. */
    private String webhook(String name) {
        return "{\"name\":\"" + name + "\",\"tenant\":\"" + tenant + "\",\"url\":\"http://127.0.0.1:9/\"}";
    }

    private String mail(String name) {
        return "{\"name\":\"" + name + "\",\"tenant\":\"" + tenant + "\",\"to\":[\"ops@example.org\"]}";
    }

    private boolean exists() {
        return !tenant.equals(NOBODY);
    }

    /** By the operator, so that the request alone is the caller's. */
    private Reply setUp(Route route, String body, String... parts) throws Exception {
        if (!exists()) {
            return null;
        }
        Reply reply = harness.ask(route.method(), route.uri(parts), body, harness.token(), Map.of());
        assertEquals(200, reply.status(), route + " " + reply.json());
        return reply;
    }
}
