package io.forewarn.cli;

import io.forewarn.wire.control.CommandResultBody;
import io.forewarn.wire.control.DeadLetterBody;
import io.forewarn.wire.control.DeliveryTestBody;
import io.forewarn.wire.control.Json;
import io.forewarn.wire.control.ResendRequest;
import io.forewarn.wire.control.Route;
import io.forewarn.wire.control.SubscriptionBody;
import io.forewarn.wire.control.SubscriptionRequest;
import io.forewarn.wire.control.TokenBody;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import picocli.CommandLine.Option;

/** Implements the commands that webhooks and mail subscriptions share. */
record SubscriptionCommands(ServerCommand asking, String kind, Function<String, Route> route, String tenant) {
    /** Options that filter the notifications of a subscription. */
    static final class Wanting {
        @Option(
                names = "--tenant",
                paramLabel = "NAME",
                description = "Only for this tenant; default: all that the token may see.")
        private String tenant;

        @Option(
                names = "--group",
                paramLabel = "NAME",
                split = ",",
                description = "Only for this group; may be given several times.")
        private List<String> groups;

        @Option(
                names = "--what",
                paramLabel = "WORD",
                split = ",",
                description =
                        "Only these kinds, such as scheduled,started,failed; default: the lifecycle of events and rollouts."
                                + " 'all' for every kind.")
        private List<String> what;

        SubscriptionRequest request(String name, String url, List<String> to, String secret) {
            return new SubscriptionRequest(name, tenant, url, to, groups, what, secret);
        }
    }

    private Map<String, String> query() {
        return ServerCommand.query("tenant", tenant);
    }

    int list() {
        return asking.list(
                SubscriptionBody.class,
                route.apply("S"),
                query(),
                List.of("name", "subscribed to", "where", "what", "delivered", "waiting", "dead", "last error"),
                "No " + kind + "s.",
                r -> List.of(
                        r.name(),
                        r.groups() == null ? whom(r.tenant()) : String.join(",", r.groups()),
                        where(r),
                        r.what().size() > 3 ? r.what().size() + " kinds" : String.join(",", r.what()),
                        String.valueOf(r.delivered()),
                        r.waiting() == null ? "?" : r.waiting().toString(),
                        String.valueOf(r.dead()),
                        r.lastError() == null ? "" : r.lastError()));
    }

    private static String whom(String tenant) {
        return tenant.equals(TokenBody.EVERY_TENANT) ? "all" : tenant;
    }

    private static String where(SubscriptionBody recipient) {
        return recipient.url() == null ? String.join(",", recipient.to()) : recipient.url();
    }

    int show(String name) {
        return asking.one(
                SubscriptionBody.class,
                asking.client().bytes(route.apply(""), List.of(name), query()),
                r -> new PropertyList()
                        .with("name", r.name())
                        .with("subscribed to", r.groups() == null ? whom(r.tenant()) : r.groups())
                        .with(r.url() == null ? "to" : "url", where(r))
                        .with("what", r.what())
                        .with("created at", DisplayNames.time(r.createdAt()))
                        .with("delivered", r.delivered())
                        .with("waiting", r.waiting())
                        .with("dead", r.dead())
                        .with("failed attempts", r.tries())
                        .with("last error", r.lastError())
                        .print(asking.out()));
    }

    int add(SubscriptionRequest request) {
        TenantCommand.warnOfNew(asking, request.tenant());
        SubscriptionBody made = asking.client().send(SubscriptionBody.class, route.apply("_ADD"), request);
        if (asking.json()) {
            asking.raw(Json.write(made));
        } else {
            asking.say("added " + made.name());
            if (made.secret() != null) {
                asking.say("secret  " + made.secret());
                asking.warn(
                        "The secret is not shown again: give it to the receiver, which needs it to verify signatures.");
            }
        }
        return ExitCode.DONE;
    }

    int remove(List<String> names) {
        for (String name : names) {
            CommandResultBody outcome =
                    asking.client().ask(CommandResultBody.class, route.apply("_REMOVE"), List.of(name), query());
            if (asking.json()) {
                asking.raw(Json.write(outcome));
            } else {
                asking.say(name + " removed");
            }
        }
        return ExitCode.DONE;
    }

    int test(String name) {
        byte[] answer = asking.client().bytes(route.apply("_TEST"), List.of(name), query());
        try {
            DeliveryTestBody trial = Json.answer(DeliveryTestBody.class, answer);
            boolean everybody = trial.delivered() && trial.error() == null;
            if (asking.json()) {
                asking.raw(answer);
            } else if (everybody) {
                asking.say("delivered");
            } else {
                String fate = trial.delivered() ? "delivered to some recipients only: " : "not delivered: ";
                asking.warn(fate + trial.error());
            }
            return everybody ? ExitCode.DONE : ExitCode.REFUSED;
        } catch (IOException strange) {
            throw new ServerUnreachableException(asking.client().url(), "its response is not one of a Forewarn server");
        }
    }

    int dead(String name) {
        byte[] answer = asking.client().bytes(route.apply("_DEAD"), List.of(name), query());
        if (asking.json()) {
            asking.raw(answer);
            return ExitCode.DONE;
        }
        Table table = new Table(asking.out(), List.of("id", "what", "event", "given up at", "attempts", "error"));
        try {
            Json.each(
                    DeadLetterBody.class,
                    new ByteArrayInputStream(answer),
                    l -> table.row(List.of(
                            l.id(),
                            l.what(),
                            l.event() == null ? "" : l.event(),
                            DisplayNames.time(l.at()),
                            String.valueOf(l.tries()),
                            Boolean.TRUE.equals(l.again()) ? "being resent" : l.error())));
        } catch (IOException strange) {
            throw new ServerUnreachableException(asking.client().url(), "its response is not one of a Forewarn server");
        }
        if (table.end() == 0) {
            asking.say("No dead letters.");
        }
        return ExitCode.DONE;
    }

    int resend(String name, List<String> letters, boolean all) {
        if (all == (letters != null)) {
            throw CommandRefusedException.wrong(
                    "name the dead letters to resend by id, as '" + kind + " dead " + name + "' lists them, or --all");
        }
        byte[] answer = asking.client()
                .bytes(route.apply("_RESEND"), List.of(name), query(), ControlClient.json(new ResendRequest(letters)));
        return asking.one(
                CommandResultBody.class, answer, o -> asking.say(o.changes() + " dead letters are being resent"));
    }
}
