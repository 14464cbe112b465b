package io.forewarn.wire.control;

import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.StringJoiner;

/**
 * Lists all requests of the control API, one row each. The server dispatches by this table, the command line builds its URLs by it,
 * and {@code docs/api.md} is printed from it. Each row states the minimum role; nothing else in the service decides about roles.
 */
public enum Route {
    HEALTH("GET", "/healthz", RouteAccess.OPEN, "Returns ok while the process is running. Needs no token.", null, null),
    READY(
            "GET",
            "/readyz",
            RouteAccess.OPEN,
            "Returns ok while this node's answers are up to date. Needs no token.",
            null,
            null),
    METRICS("GET", "/metrics", RouteAccess.VIEW_ALL, "Metrics for Prometheus.", null, null),
    OPENAPI("GET", "/v1/openapi.json", RouteAccess.VIEW, "The OpenAPI description of this API.", null, null),
    STATUS("GET", "/v1/status", RouteAccess.VIEW, "Service status.", null, StatusBody.class),
    DOCTOR("GET", "/v1/doctor", RouteAccess.VIEW_ALL, "Problems found, each with a fix.", null, FindingsBody.class),

    SETTINGS(
            "GET",
            "/v1/settings",
            RouteAccess.VIEW_ALL,
            "The settings of the node that answers, and where each value came from.",
            null,
            SettingBody.class),

    GROUPS("GET", "/v1/groups", RouteAccess.VIEW, "All groups.", null, GroupBody.class, "tenant", "group", "limit"),
    GROUP("GET", "/v1/groups/{name}", RouteAccess.VIEW, "One group.", null, GroupBody.class, "tenant"),
    GROUP_PUT(
            "PUT",
            "/v1/groups/{name}",
            RouteAccess.OWN,
            "Adds or changes a group; the body is a group as in the fleet file.",
            GroupRequest.class,
            CommandResultBody.class,
            "tenant"),
    GROUP_REMOVE(
            "DELETE",
            "/v1/groups/{name}",
            RouteAccess.OWN,
            "Removes a group and its machines.",
            null,
            CommandResultBody.class,
            "tenant"),

    HOSTS(
            "GET",
            "/v1/hosts",
            RouteAccess.VIEW,
            "All hosts with machines, sorted by name; to get the next page, pass the last name as `after`.",
            null,
            HostBody.class,
            "tenant",
            "host",
            "after",
            "limit"),
    HOST(
            "GET",
            "/v1/hosts/{name}",
            RouteAccess.VIEW,
            "One host, with its machines and their open events.",
            null,
            HostBody.class),

    MACHINES(
            "GET",
            "/v1/machines",
            RouteAccess.VIEW,
            "All machines, group by group unless `sort` is given.",
            null,
            MachineBody.class,
            "tenant",
            "group",
            "name",
            "host",
            "tag",
            "polling",
            "sort",
            "limit"),
    MACHINE("GET", "/v1/machines/{name}", RouteAccess.VIEW, "One machine.", null, MachineBody.class, "tenant"),
    MACHINE_DOCUMENTS(
            "GET",
            "/v1/machines/{name}/documents",
            RouteAccess.VIEW,
            "The documents that a machine would read now, one for each api-version.",
            null,
            MachineDocumentsBody.class,
            "tenant"),
    MACHINE_PUT(
            "PUT",
            "/v1/machines/{name}",
            RouteAccess.OWN,
            "Adds or changes a machine; the body is a machine as in the fleet file. With `only=new` or"
                    + " `If-None-Match: *`, the request is refused if the machine exists; with `only=existing`, the machine must"
                    + " exist, and only the members and tags in the body are changed.",
            MachineRequest.class,
            CommandResultBody.class,
            "tenant",
            "only"),
    MACHINE_REMOVE(
            "DELETE",
            "/v1/machines/{name}",
            RouteAccess.OWN,
            "Removes a machine.",
            null,
            CommandResultBody.class,
            "tenant"),
    MACHINE_ACTION(
            "POST",
            "/v1/machines/{name}/{action}",
            RouteAccess.OWN,
            "Schedules an operation on a machine: " + Action.LIST + ".",
            ActionRequest.class,
            CommandResultBody.class,
            "tenant"),
    ACTION(
            "POST",
            "/v1/actions/{action}",
            RouteAccess.OWN,
            "The same for several machines, with one event for each; either all are scheduled or none.",
            ActionRequest.class,
            CommandResultBody.class,
            "tenant"),

    EVENTS(
            "GET",
            "/v1/events",
            RouteAccess.VIEW,
            "All open events, group by group unless `sort` is given; with `blockers=true`, also what keeps each event"
                    + " from starting.",
            null,
            EventBody.class,
            "tenant",
            "group",
            "machine",
            "host",
            "rollout",
            "type",
            "state",
            "sort",
            "blockers",
            "limit"),
    EVENT(
            "GET",
            "/v1/events/{id}",
            RouteAccess.VIEW,
            "One event, even if it has ended, with its history unless `history=false`.",
            null,
            EventBody.class,
            "history"),
    EVENT_APPROVE(
            "POST",
            "/v1/events/{id}/approve",
            RouteAccess.OWN,
            "Approves an event, so that it starts without waiting for the rest of its notice.",
            ReasonRequest.class,
            CommandResultBody.class),
    EVENT_CANCEL(
            "POST",
            "/v1/events/{id}/cancel",
            RouteAccess.OWN,
            "Cancels an event that has not started.",
            ReasonRequest.class,
            CommandResultBody.class),
    EVENT_POSTPONE(
            "POST",
            "/v1/events/{id}/postpone",
            RouteAccess.OWN,
            "Postpones an event, as far as the policy lets owners do so.",
            PostponeRequest.class,
            CommandResultBody.class),
    EVENT_POLICY(
            "GET",
            "/v1/events/{id}/policy",
            RouteAccess.VIEW,
            "The policy values of an open event, with their sources, and what keeps it from starting now.",
            null,
            ExplanationBody.class),

    SEARCH(
            "GET",
            "/v1/search",
            RouteAccess.VIEW,
            "Machines, groups, hosts, open events and rollouts whose names contain the given text; at most 10 of each kind unless `limit` says otherwise.",
            null,
            SearchResultBody.class,
            "text",
            "tenant",
            "limit"),

    POLICIES("GET", "/v1/policies", RouteAccess.VIEW, "All policies.", null, PolicyBody.class, "tenant", "limit"),
    POLICY_SET(
            "POST",
            "/v1/policies",
            RouteAccess.OWN,
            "Sets values in the policy of a tenant, a group or a type; omitted values stay unchanged.",
            PolicyBody.class,
            PolicyBody.class),
    POLICY_REMOVE(
            "DELETE",
            "/v1/policies",
            RouteAccess.OWN,
            "Removes a policy.",
            null,
            CommandResultBody.class,
            "tenant",
            "group",
            "type"),

    POLICY_CLOSED_TIMES(
            "GET",
            "/v1/policies/closed-times",
            RouteAccess.VIEW,
            "The times at which the windows and blackouts of each policy keep platform work from starting, from `from` (default: now) until `until`"
                    + " (default: a week later), at most 400 days.",
            null,
            ClosedTimesBody.class,
            "tenant",
            "from",
            "until"),

    ROLLOUTS(
            "GET",
            "/v1/rollouts",
            RouteAccess.VIEW,
            "All rollouts, oldest first; an owner sees those that affect machines of its tenant.",
            null,
            RolloutBody.class,
            "limit"),
    ROLLOUT_PLAN(
            "POST",
            "/v1/rollouts/plan",
            RouteAccess.VIEW_ALL,
            "Returns which machines a rollout would affect and when, how long it would take, and what blocks it;"
                    + " changes nothing.",
            RolloutRequest.class,
            PlanBody.class,
            "limit"),
    ROLLOUT_START(
            "POST", "/v1/rollouts", RouteAccess.OPERATE, "Starts a rollout.", RolloutRequest.class, RolloutBody.class),
    ROLLOUT(
            "GET",
            "/v1/rollouts/{name}",
            RouteAccess.VIEW,
            "One rollout, with its active units; an owner sees only units with machines of its tenant.",
            null,
            RolloutBody.class),
    ROLLOUT_UNITS(
            "GET",
            "/v1/rollouts/{name}/units",
            RouteAccess.VIEW,
            "The units of a rollout with their planned starts, soonest first; to get the next page, pass the last"
                    + " name as `after`. An owner sees those with machines of its tenant.",
            null,
            PlannedUnitBody.class,
            "state",
            "after",
            "limit"),
    ROLLOUT_PAUSE(
            "POST",
            "/v1/rollouts/{name}/pause",
            RouteAccess.OPERATE,
            "Pauses a rollout: nothing new is scheduled, and scheduled events do not start.",
            ReasonRequest.class,
            RolloutBody.class),
    ROLLOUT_RESUME(
            "POST",
            "/v1/rollouts/{name}/resume",
            RouteAccess.OPERATE,
            "Continues a rollout after a pause or a failure. With `retry=true`, failed units are tried again;"
                    + " `notice` gives them more notice than the minimum. `until` and `late` replace the values with which the"
                    + " rollout was started.",
            null,
            RolloutBody.class,
            "retry",
            "notice",
            "until",
            "late"),
    ROLLOUT_ABORT(
            "POST",
            "/v1/rollouts/{name}/abort",
            RouteAccess.OPERATE,
            "Ends a rollout for good: scheduled events are cancelled, and work that has started runs to completion.",
            ReasonRequest.class,
            RolloutBody.class),
    ROLLOUT_REMOVE(
            "DELETE",
            "/v1/rollouts/{name}",
            RouteAccess.OPERATE,
            "Deletes a finished rollout; its name can be used again, and its history is kept.",
            null,
            CommandResultBody.class),

    FLEET_CELLS(
            "GET",
            "/v1/fleet/cells",
            RouteAccess.VIEW,
            "The machines of the fleet with their domains, hosts and states, in a compact form; at most 10,000 per"
                    + " answer unless `limit` says otherwise.",
            null,
            FleetCellsBody.class,
            "tenant",
            "group",
            "tag",
            "after",
            "limit"),
    FLEET("GET", "/v1/fleet", RouteAccess.VIEW, "The fleet as a file.", null, null, "format", "tenant"),
    FLEET_APPLY(
            "PUT",
            "/v1/fleet",
            RouteAccess.OWN,
            "Applies the fleet file in the body, which is YAML or JSON Lines. With `dry-run=true`, it only returns"
                    + " what would change.",
            null,
            CommandResultBody.class,
            "prune",
            "dry-run"),

    HISTORY(
            "GET",
            "/v1/history",
            RouteAccess.VIEW,
            "The history: what happened, when and why.",
            null,
            HistoryEntryBody.class,
            "tenant",
            "group",
            "machine",
            "event",
            "rollout",
            "kinds",
            "text",
            "since",
            "until",
            "limit",
            "order",
            "after",
            "format"),
    REPORT_NOTICE(
            "GET",
            "/v1/reports/notice",
            RouteAccess.VIEW,
            "The notice promised and given for each event, who approved it and which machines never saw it.",
            null,
            NoticeReportBody.class,
            "tenant",
            "group",
            "machine",
            "rollout",
            "since",
            "until",
            "format"),

    CLOCK("GET", "/v1/clock", RouteAccess.VIEW, "Service time.", null, ClockBody.class),
    CLOCK_ADVANCE(
            "POST",
            "/v1/clock/advance",
            RouteAccess.OPERATE,
            "Moves the manual clock forward by a duration; the answer comes when everything that became due has been"
                    + " processed.",
            ClockRequest.class,
            ClockBody.class),
    CLOCK_SET(
            "POST",
            "/v1/clock/set",
            RouteAccess.OPERATE,
            "Moves the manual clock forward to a time; the answer is sent once everything that became due has been processed.",
            ClockRequest.class,
            ClockBody.class),
    CLOCK_REPAIR(
            "POST",
            "/v1/clock/repair",
            RouteAccess.OPERATE,
            "Sets service time to the server's own system clock or, in a cluster, to the time on which more than half of the"
                    + " nodes agree.",
            ClockRepairRequest.class,
            ClockBody.class),

    AUDIT(
            "GET",
            "/v1/audit",
            RouteAccess.VIEW_ALL,
            "The audit log: who requested what, from where, and the outcome.",
            null,
            AuditEntryBody.class,
            "since",
            "until",
            "actor",
            "outcome",
            "text",
            "limit",
            "order",
            "format"),
    AUDIT_VERIFY(
            "GET",
            "/v1/audit/verify",
            RouteAccess.OPERATE,
            "Verifies that the audit log is unchanged; `head` is the hash that an earlier verification returned.",
            null,
            AuditVerificationBody.class,
            "head"),

    TENANTS("GET", "/v1/tenants", RouteAccess.VIEW, "All tenants.", null, TenantBody.class, "limit"),
    TENANT("GET", "/v1/tenants/{name}", RouteAccess.VIEW, "One tenant.", null, TenantBody.class),
    TENANT_SET(
            "PUT",
            "/v1/tenants/{name}",
            RouteAccess.OPERATE,
            "Sets the addresses, hosts and quotas granted to a tenant; omitted members stay unchanged.",
            TenantRequest.class,
            CommandResultBody.class),

    TOKENS("GET", "/v1/tokens", RouteAccess.OWN, "All tokens, without their secrets.", null, TokenBody.class),
    TOKEN_ADD(
            "POST",
            "/v1/tokens",
            RouteAccess.OWN,
            "Creates a token; its secret is shown only once.",
            TokenRequest.class,
            TokenBody.class),
    TOKEN_REMOVE("DELETE", "/v1/tokens/{name}", RouteAccess.OWN, "Revokes a token.", null, CommandResultBody.class),

    SESSION("GET", "/v1/session", RouteAccess.VIEW, "Who the caller is.", null, SessionBody.class),
    SESSION_START(
            "POST",
            "/v1/session",
            RouteAccess.VIEW,
            "Signs a browser in: sets a session cookie that stands for the token. `Authorization` may contain the"
                    + " code of a sign-in link instead of a token.",
            null,
            SessionBody.class),
    SESSION_END("DELETE", "/v1/session", RouteAccess.VIEW, "Signs the browser out.", null, SessionBody.class),
    SESSION_LINK(
            "POST",
            "/v1/session/link",
            RouteAccess.VIEW,
            "Creates a sign-in link for the console, which works once and expires after five minutes.",
            null,
            SignInLinkBody.class),

    WEBHOOKS(
            "GET",
            "/v1/webhooks",
            RouteAccess.OWN,
            "All webhooks, with the state of their deliveries.",
            null,
            SubscriptionBody.class,
            "tenant"),
    WEBHOOK_ADD(
            "POST",
            "/v1/webhooks",
            RouteAccess.OWN,
            "Adds a webhook, which gets notifications from now on.",
            SubscriptionRequest.class,
            SubscriptionBody.class),
    WEBHOOK("GET", "/v1/webhooks/{name}", RouteAccess.OWN, "One webhook.", null, SubscriptionBody.class, "tenant"),
    WEBHOOK_REMOVE(
            "DELETE",
            "/v1/webhooks/{name}",
            RouteAccess.OWN,
            "Removes a webhook.",
            null,
            CommandResultBody.class,
            "tenant"),
    WEBHOOK_TEST(
            "POST",
            "/v1/webhooks/{name}/test",
            RouteAccess.OWN,
            "Sends a test notification at once and returns the result.",
            null,
            DeliveryTestBody.class,
            "tenant"),
    WEBHOOK_DEAD_LETTERS(
            "GET",
            "/v1/webhooks/{name}/dead-letters",
            RouteAccess.OWN,
            "The dead letters, oldest first.",
            null,
            DeadLetterBody.class,
            "tenant"),
    WEBHOOK_RESEND(
            "POST",
            "/v1/webhooks/{name}/resend",
            RouteAccess.OWN,
            "Resends dead letters.",
            ResendRequest.class,
            CommandResultBody.class,
            "tenant"),

    MAIL_SUBSCRIPTIONS(
            "GET",
            "/v1/mail-subscriptions",
            RouteAccess.OWN,
            "All mail subscriptions, with the state of their deliveries.",
            null,
            SubscriptionBody.class,
            "tenant"),
    MAIL_SUBSCRIPTION_ADD(
            "POST",
            "/v1/mail-subscriptions",
            RouteAccess.OWN,
            "Adds a mail subscription, which gets notifications from now on.",
            SubscriptionRequest.class,
            SubscriptionBody.class),
    MAIL_SUBSCRIPTION(
            "GET",
            "/v1/mail-subscriptions/{name}",
            RouteAccess.OWN,
            "One mail subscription.",
            null,
            SubscriptionBody.class,
            "tenant"),
    MAIL_SUBSCRIPTION_REMOVE(
            "DELETE",
            "/v1/mail-subscriptions/{name}",
            RouteAccess.OWN,
            "Removes a mail subscription.",
            null,
            CommandResultBody.class,
            "tenant"),
    MAIL_SUBSCRIPTION_TEST(
            "POST",
            "/v1/mail-subscriptions/{name}/test",
            RouteAccess.OWN,
            "Sends a test notification at once and returns the result.",
            null,
            DeliveryTestBody.class,
            "tenant"),
    MAIL_SUBSCRIPTION_DEAD_LETTERS(
            "GET",
            "/v1/mail-subscriptions/{name}/dead-letters",
            RouteAccess.OWN,
            "The dead letters, oldest first.",
            null,
            DeadLetterBody.class,
            "tenant"),
    MAIL_SUBSCRIPTION_RESEND(
            "POST",
            "/v1/mail-subscriptions/{name}/resend",
            RouteAccess.OWN,
            "Resends dead letters.",
            ResendRequest.class,
            CommandResultBody.class,
            "tenant"),

    CALENDAR(
            "GET",
            "/v1/calendar.ics",
            RouteAccess.CALENDAR,
            "Planned and recent work as an iCalendar feed; a calendar token may be given as `token` in the URL.",
            null,
            null,
            "tenant",
            "group",
            "rollout",
            "token"),

    STREAM(
            "GET",
            "/v1/stream",
            RouteAccess.VIEW,
            "Notifications as server-sent events, beginning after the id in `Last-Event-ID` or `since`; with"
                    + " `follow=false`, the stream ends after the newest notification.",
            null,
            null,
            "tenant",
            "group",
            "kinds",
            "since",
            "follow");

    /** A route with the variable parts of its path. */
    public record Match(Route route, List<String> parts) {}

    private final String method;
    private final String template;
    private final RouteAccess routeAccess;
    private final String summary;
    private final Class<?> body;
    private final Class<?> answer;
    private final List<String> query;
    private final List<String> segments;

    Route(
            String method,
            String template,
            RouteAccess routeAccess,
            String summary,
            Class<?> body,
            Class<?> answer,
            String... query) {
        this.method = method;
        this.template = template;
        this.routeAccess = routeAccess;
        this.summary = summary;
        this.body = body;
        this.answer = answer;
        this.query = List.of(query);
        this.segments = List.of(template.substring(1).split("/"));
    }

    public String method() {
        return method;
    }

    public String template() {
        return template;
    }

    /** The access it requires. */
    public RouteAccess access() {
        return routeAccess;
    }

    public String summary() {
        return summary;
    }

    /** The record of its request body; empty if it takes none or a file. */
    public Optional<Class<?>> body() {
        return Optional.ofNullable(body);
    }

    /** The record of its answer, or of each item of its answer; empty if it is not JSON. */
    public Optional<Class<?>> answer() {
        return Optional.ofNullable(answer);
    }

    /** The name of the list it answers with; empty if it answers with one thing. */
    public Optional<String> list() {
        return switch (this) {
            case AUDIT,
                    TENANTS,
                    SETTINGS,
                    GROUPS,
                    HOSTS,
                    MACHINES,
                    EVENTS,
                    HISTORY,
                    TOKENS,
                    POLICIES,
                    ROLLOUTS,
                    WEBHOOKS -> Optional.of(name().toLowerCase(Locale.ROOT));
            case SEARCH -> Optional.of("results");
            case ROLLOUT_UNITS -> Optional.of("units");
            case POLICY_CLOSED_TIMES -> Optional.of("closedTimes");
            case MAIL_SUBSCRIPTIONS -> Optional.of("mailSubscriptions");
            case WEBHOOK_DEAD_LETTERS, MAIL_SUBSCRIPTION_DEAD_LETTERS -> Optional.of("deadLetters");
            default -> Optional.empty();
        };
    }

    /** The query parameters it knows. */
    public List<String> query() {
        return query;
    }

    /** Whether it needs no token. */
    public boolean open() {
        return routeAccess == RouteAccess.OPEN;
    }

    public static Optional<Match> match(String method, String path) {
        for (Route route : values()) {
            if (route.method.equals(method)) {
                List<String> parts = route.parts(path);
                if (parts != null) {
                    return Optional.of(new Match(route, parts));
                }
            }
        }
        return Optional.empty();
    }

    /** Which methods a path takes; empty if there is no such path. */
    public static List<String> methods(String path) {
        List<String> methods = new ArrayList<>();
        for (Route route : values()) {
            if (!methods.contains(route.method) && route.parts(path) != null) {
                methods.add(route.method);
            }
        }
        return methods;
    }

    /** The path and query of a request; parts in the order of the template. */
    public String uri(List<String> parts, Map<String, String> query) {
        StringBuilder uri = new StringBuilder();
        int next = 0;
        for (String segment : segments) {
            uri.append('/').append(segment.startsWith("{") ? encode(parts.get(next++)) : segment);
        }
        StringJoiner pairs = new StringJoiner("&", "?", "").setEmptyValue("");
        query.forEach((key, value) -> pairs.add(encode(key) + "=" + encode(value)));
        return uri.append(pairs).toString();
    }

    public String uri(String... parts) {
        return uri(List.of(parts), Map.of());
    }

    private List<String> parts(String path) {
        String[] given = path.substring(Math.min(1, path.length())).split("/", -1);
        if (given.length != segments.size()) {
            return null;
        }
        List<String> parts = new ArrayList<>(2);
        for (int i = 0; i < given.length; i++) {
            String segment = segments.get(i);
            if (!segment.startsWith("{")) {
                if (!segment.equals(given[i])) {
                    return null;
                }
            } else if (given[i].isEmpty()) {
                return null;
            } else {
                parts.add(decode(given[i]));
            }
        }
        return parts;
    }

    private static String encode(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    private static String decode(String text) {
        try {
            return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException malformed) {
            return text;
        }
    }
}
