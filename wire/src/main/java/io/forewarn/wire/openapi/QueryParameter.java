package io.forewarn.wire.openapi;

import io.forewarn.wire.control.Route;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Describes the query parameters, one row each. */
enum QueryParameter {
    TENANT("tenant", "The tenant for names without one, or the tenant to filter by."),
    GROUP("group", "Only this group; in lists, `*` stands for any characters and `?` for one."),
    HOST("host", "Only this host; `*` stands for any characters and `?` for one."),
    NAME("name", "Only machines with this name; `*` stands for any characters and `?` for one."),
    TAG("tag", "Only machines with this tag, such as env=demo."),
    MACHINE("machine", "Only this machine."),
    EVENT("event", SchemaFormats.EVENT_ID, "Only this event."),
    ROLLOUT("rollout", "Only this rollout."),
    TYPE("type", "event-type", "Only this type; of a policy: the event type it applies to."),
    STATE("state", "event-state", "Only events in this state."),
    UNIT_STATE("state", "unit-state", "Only units in this state."),
    POLLING("polling", "polling", "Only machines that poll, no longer poll, or never did."),
    SINCE(
            "since",
            "Start of the period: how long ago, such as 2h, or the last such time: `fri 22:00`, 2030-01-01T00:00:00Z."),
    STREAM_SINCE("since", "After this id, such as 12.0; `0.0` for everything that is kept; default: from now on."),
    UNTIL(
            "until",
            "End of the period: how long ago, such as 1h, or the last such time: `fri 23:00`, 2030-01-01T00:00:00Z."),
    SORT(
            "sort",
            "The order; a minus sign before it reverses it. Machines: `name`, `group`, `host` or `last-poll`. Events: `group`, `not-before`, `state` or `type`."),
    BLOCKERS("blockers", "boolean", "Whether to say of each event what keeps it from starting."),
    ORDER("order", "order", "The order of entries; default: newest first."),
    AFTER("after", "Continue from the `next` of an earlier answer."),
    HOSTS_AFTER("after", "Only hosts whose names come after this one."),
    UNITS_AFTER("after", "Only units after the one with this name."),
    FORMAT("format", "listing", "Format of the list; default: from the Accept header."),
    FLEET_FORMAT("format", "fleet-format", "Format of the file; default: YAML."),
    HISTORY("history", "boolean", "Whether to include its history; default: true."),
    PRUNE("prune", "boolean", "Whether to remove what the file does not name, in the tenants it names."),
    DRY_RUN("dry-run", "boolean", "Whether to return only what would change, and change nothing."),
    ONLY("only", "`new`: refused if it exists; `existing`: changes only the members in the body of an existing one."),
    RETRY("retry", "boolean", "Whether to retry failed units."),
    NOTICE("notice", SchemaFormats.DURATION, "Notice for retried units, such as 1h; default: the minimum."),
    LATEST_START("until", "The latest start of a unit from now on, such as `sat 06:00`; default: unchanged."),
    FROM("from", "Start of the time, such as `fri 22:00` or 2030-01-01T00:00:00Z; default: now."),
    SPAN_END("until", "End of the time, such as `mon 08:00` or 2030-01-02T00:00:00Z; default: a week after its start."),
    LATE("late", "late", "What becomes of units that cannot start by then; default: unchanged."),
    ACTOR("actor", "Only requests of this token or machine, by name."),
    OUTCOME("outcome", "audit-outcome", "Only requests with this outcome."),
    SEARCHED("text", "The text to search for, in upper or lower case."),
    AUDIT_TEXT(
            "text",
            "Only entries with this text in the request, the error message, or the name or address of the actor, in upper or lower case."),
    HISTORY_TEXT(
            "text",
            "Only entries with this text in the name of a machine, the group, the rollout or the actor, in the detail or in the reason, in upper or lower case."),
    HEAD("head", "The hash of a page from an earlier verification; the result says whether it is still there."),
    KINDS("kinds", "Only these kinds, separated by commas, as in the history; `all` for everything."),
    FOLLOW("follow", "boolean", "Whether to wait for new notifications; default: true."),
    TOKEN("token", "A calendar token, for programs that cannot send headers; no other token is accepted here."),
    LIMIT("limit", "integer", "Maximum number of results.");

    private final String name;
    private final String shape;
    private final String meaning;

    QueryParameter(String name, String meaning) {
        this(name, null, meaning);
    }

    QueryParameter(String name, String shape, String meaning) {
        this.name = name;
        this.shape = shape;
        this.meaning = meaning;
    }

    static Optional<QueryParameter> of(Route route, String name) {
        if (name.equals(FORMAT.name) && route == Route.FLEET) {
            return Optional.of(FLEET_FORMAT);
        }
        if (name.equals(AFTER.name) && route == Route.ROLLOUT_UNITS) {
            return Optional.of(UNITS_AFTER);
        }
        if (name.equals(STATE.name) && route == Route.ROLLOUT_UNITS) {
            return Optional.of(UNIT_STATE);
        }
        if (name.equals(UNTIL.name) && route == Route.ROLLOUT_RESUME) {
            return Optional.of(LATEST_START);
        }
        if (name.equals(UNTIL.name) && route == Route.POLICY_CLOSED_TIMES) {
            return Optional.of(SPAN_END);
        }
        if (name.equals(AFTER.name) && route == Route.HOSTS) {
            return Optional.of(HOSTS_AFTER);
        }
        if (name.equals(SINCE.name) && route == Route.STREAM) {
            return Optional.of(STREAM_SINCE);
        }
        if (name.equals(SEARCHED.name) && route == Route.AUDIT) {
            return Optional.of(AUDIT_TEXT);
        }
        if (name.equals(SEARCHED.name) && route == Route.HISTORY) {
            return Optional.of(HISTORY_TEXT);
        }
        return Arrays.stream(values()).filter(p -> p.name.equals(name)).findFirst();
    }

    Map<String, Object> described() {
        Map<String, Object> described = new LinkedHashMap<>();
        described.put("name", name);
        described.put("in", "query");
        described.put("description", meaning);
        described.put("schema", schema());
        return described;
    }

    private Map<String, Object> schema() {
        if (List.of("boolean", "integer").contains(String.valueOf(shape))) {
            Map<String, Object> schema = new LinkedHashMap<>(Map.of("type", shape));
            if (shape.equals("integer")) {
                schema.put("format", "int64");
                schema.put("minimum", 0);
            }
            return schema;
        }
        return SchemaFormats.named(shape);
    }
}
