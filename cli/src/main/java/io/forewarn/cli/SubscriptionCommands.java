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
record SubscriptionCommands(ServerCommand command, String kind, Function<String, Route> route, String tenant) {
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
                names = "--kind",
                paramLabel = "KIND",
                split = ",",
                description =
                        "Only these kinds, such as scheduled,started,failed; default: the lifecycle of events and rollouts."
                                + " 'all' for every kind.")
        private List<String> kinds;

        @Option(
                names = "--zone",
                paramLabel = "ZONE",
                description = "Time zone of the times in messages, such as Europe/Berlin; default: clock.zone.")
        private String zone;

        SubscriptionRequest webhook(String name, String url, String secret, String format) {
            return new SubscriptionRequest(name, tenant, url, null, groups, kinds, secret, null, zone, format);
        }

        SubscriptionRequest mail(String name, List<String> to, String digest) {
            return new SubscriptionRequest(name, tenant, null, to, groups, kinds, null, digest, zone, null);
        }
    }

    private Map<String, String> query() {
        return ServerCommand.query("tenant", tenant);
    }

    int list() {
        return command.list(
                SubscriptionBody.class,
                route.apply("S"),
                query(),
                List.of(
                        "name",
                        "subscribed to",
                        "where",
                        "kinds",
                        kind.equals("mail") ? "sent" : "format",
                        "delivered",
                        "pending",
                        "dead letters",
                        "last error"),
                "No subscriptions.",
                r -> List.of(
                        r.name(),
                        r.groups() == null ? whom(r.tenant()) : String.join(",", r.groups()),
                        where(r),
                        r.kinds().size() > 3 ? r.kinds().size() + " kinds" : String.join(",", r.kinds()),
                        how(r),
                        String.valueOf(r.delivered()),
                        r.pending() == null ? "?" : r.pending().toString(),
                        String.valueOf(r.deadLetters()),
                        r.lastError() == null ? "" : r.lastError()));
    }

    private static String whom(String tenant) {
        return tenant.equals(TokenBody.EVERY_TENANT) ? "all" : tenant;
    }

    private static String where(SubscriptionBody recipient) {
        return recipient.url() == null ? String.join(",", recipient.to()) : recipient.url();
    }

    /** When mail is sent, or what a webhook gets. */
    private static String how(SubscriptionBody recipient) {
        if (recipient.digest() == null) {
            return recipient.format();
        }
        return recipient.nextDigest() == null
                ? recipient.digest()
                : recipient.digest() + ", next " + DisplayNames.time(recipient.nextDigest());
    }

    int show(String name) {
        return command.one(
                SubscriptionBody.class,
                command.client().bytes(route.apply(""), List.of(name), query()),
                r -> new PropertyList()
                        .with("name", r.name())
                        .with("subscribed to", r.groups() == null ? whom(r.tenant()) : r.groups())
                        .with(r.url() == null ? "to" : "url", where(r))
                        .with("kinds", r.kinds())
                        .with("digest", r.digest())
                        .with("next digest", r.nextDigest() == null ? null : DisplayNames.time(r.nextDigest()))
                        .with("format", r.format())
                        .with("time zone", r.zone())
                        .with("created at", DisplayNames.time(r.createdAt()))
                        .with("delivered", r.delivered())
                        .with("pending", r.pending())
                        .with("dead letters", r.deadLetters())
                        .with("failed attempts", r.failedAttempts())
                        .with("last error", r.lastError())
                        .print(command.out()));
    }

    int add(SubscriptionRequest request) {
        TenantCommand.warnOfNew(command, request.tenant());
        SubscriptionBody made = command.client().send(SubscriptionBody.class, route.apply("_ADD"), request);
        if (command.json()) {
            command.raw(Json.write(made));
        } else {
            command.say("added " + made.name());
            if (made.secret() != null) {
                command.say("secret  " + made.secret());
                command.warn(
                        "The secret is not shown again: give it to the receiver, which needs it to verify signatures.");
            }
        }
        return ExitCode.DONE;
    }

    int remove(List<String> names) {
        for (String name : names) {
            CommandResultBody outcome =
                    command.client().ask(CommandResultBody.class, route.apply("_REMOVE"), List.of(name), query());
            if (command.json()) {
                command.raw(Json.write(outcome));
            } else {
                command.say(name + " removed");
            }
        }
        return ExitCode.DONE;
    }

    int test(String name) {
        byte[] answer = command.client().bytes(route.apply("_TEST"), List.of(name), query());
        try {
            DeliveryTestBody trial = Json.answer(DeliveryTestBody.class, answer);
            boolean toAll = trial.delivered() && trial.error() == null;
            if (command.json()) {
                command.raw(answer);
            } else if (toAll) {
                command.say("delivered");
            } else {
                String outcome = trial.delivered() ? "delivered to some recipients only: " : "not delivered: ";
                command.warn(outcome + trial.error());
            }
            return toAll ? ExitCode.DONE : ExitCode.REFUSED;
        } catch (IOException strange) {
            throw new ServerUnreachableException(
                    command.client().url(), "its response is not one of a Forewarn server");
        }
    }

    int deadLetters(String name) {
        byte[] answer = command.client().bytes(route.apply("_DEAD_LETTERS"), List.of(name), query());
        if (command.json()) {
            command.raw(answer);
            return ExitCode.DONE;
        }
        Table table = new Table(command.out(), List.of("id", "kind", "event", "given up at", "attempts", "error"));
        try {
            Json.each(
                    DeadLetterBody.class,
                    new ByteArrayInputStream(answer),
                    l -> table.row(List.of(
                            l.id(),
                            l.kind(),
                            l.event() == null ? "" : l.event(),
                            DisplayNames.time(l.at()),
                            String.valueOf(l.attempts()),
                            Boolean.TRUE.equals(l.resending()) ? "being resent" : l.error())));
        } catch (IOException strange) {
            throw new ServerUnreachableException(
                    command.client().url(), "its response is not one of a Forewarn server");
        }
        if (table.end() == 0) {
            command.say("No dead letters.");
        }
        return ExitCode.DONE;
    }

    int resend(String name, List<String> ids, boolean all) {
        if (all == (ids != null)) {
            throw CommandRefusedException.wrong("name the dead letters to resend by id, as '" + kind + " dead-letters "
                    + name + "' lists them, or --all");
        }
        byte[] answer = command.client()
                .bytes(route.apply("_RESEND"), List.of(name), query(), ControlClient.json(new ResendRequest(ids)));
        return command.one(
                CommandResultBody.class, answer, o -> command.say(o.changes() + " dead letters are being resent"));
    }
}
