package io.forewarn.wire.openapi;

import io.forewarn.wire.control.Route;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What can stand in the query of a request, one row a name. */
enum QueryParameter {
    TENANT("tenant", "The tenant of bare names, or the only one that is wanted."),
    GROUP("group", "Only this group."),
    MACHINE("machine", "Only of this machine."),
    EVENT("event", SchemaFormats.EVENT_ID, "Only of this event."),
    ROLLOUT("rollout", "Only of this rollout."),
    TYPE("type", "event-type", "The type of events it is for."),
    POLLING("polling", "polling", "Only machines that ask, asked, or never did."),
    SINCE("since", "Nothing older: how long ago, such as 2h, or a time such as 2030-01-01T00:00:00Z."),
    STREAM_SINCE("since", "After this id, such as 12.0; `0.0` for all that is kept; from now on unless said."),
    UNTIL("until", "Nothing from then on: how long ago, such as 1h, or a time such as 2030-01-01T00:00:00Z."),
    ORDER("order", "order", "What comes first; the newest unless said."),
    AFTER("after", "Go on where an earlier answer said next."),
    FORMAT("format", "listing", "How the list is written; else the Accept header says it."),
    FLEET_FORMAT("format", "fleet-format", "How the file is written; YAML unless said."),
    HISTORY("history", "boolean", "Whether its history is told too; true unless said."),
    PRUNE("prune", "boolean", "Whether what the file does not name is removed, in the tenants it names."),
    DRY_RUN("dry-run", "boolean", "Whether only what would change is told, and nothing is changed."),
    ONLY("only", "`new`: refused if there is one already; `known`: changes what the body names of one that is there."),
    RETRY("retry", "boolean", "Whether units that failed are done again."),
    ACTOR("actor", "Only what this one asked for: a token's name, or a machine's."),
    HEAD("head", "The hash of a page that was noted earlier: whether it is still there is told too."),
    WHAT("what", "Only this, or these with commas between them, as history calls it; `all` for everything."),
    FOLLOW("follow", "boolean", "Whether to stay for what comes; true unless said."),
    LIMIT("limit", "integer", "At most so many.");

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
        if (name.equals(SINCE.name) && route == Route.STREAM) {
            return Optional.of(STREAM_SINCE);
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
