package io.forewarn.server.control;

import io.forewarn.core.Actor;
import io.forewarn.core.NameRules;
import io.forewarn.core.Problem;
import io.forewarn.core.RefusedException;
import io.forewarn.core.engine.CommandGateway;
import io.forewarn.core.engine.Engine.Once;
import io.forewarn.core.engine.StoreException;
import io.forewarn.core.fleet.GroupId;
import io.forewarn.core.notification.Channel;
import io.forewarn.core.notification.DeadLetter;
import io.forewarn.core.notification.DeliveryOptions;
import io.forewarn.core.notification.DigestSchedule;
import io.forewarn.core.notification.NotificationType;
import io.forewarn.core.notification.Subscription;
import io.forewarn.core.notification.SubscriptionId;
import io.forewarn.core.notification.WebhookFormat;
import io.forewarn.core.rules.Command;
import io.forewarn.core.rules.CommandResult;
import io.forewarn.core.rules.NotFound;
import io.forewarn.server.notification.MailAddress;
import io.forewarn.server.notification.Notifier;
import io.forewarn.server.notification.WebhookSignature;
import io.forewarn.wire.control.CommandResultBody;
import io.forewarn.wire.control.DeadLetterBody;
import io.forewarn.wire.control.DeliveryTestBody;
import io.forewarn.wire.control.EnumNames;
import io.forewarn.wire.control.Json;
import io.forewarn.wire.control.PolicyText;
import io.forewarn.wire.control.ResendRequest;
import io.forewarn.wire.control.SubscriptionBody;
import io.forewarn.wire.control.SubscriptionRequest;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/** Handles requests for webhooks or mail subscriptions. An owner manages those of its own tenant. */
final class SubscriptionHandlers {
    private static final int MOST_ADDRESSES = 20;
    private static final int MOST_GROUPS = 100;
    private static final int PER_COMMAND = 40;
    private static final Notifier.Status FRESH = new Notifier.Status(0, 0L, 0, 0, "");

    private final ControlParts parts;
    private final CommandGateway gateway;
    private final Notifier notifier;
    private final Channel channel;

    private final RequestMemory memory;

    SubscriptionHandlers(ControlParts parts, Channel channel, RequestMemory memory) {
        this.memory = memory;
        this.parts = parts;
        this.gateway = parts.gateway();
        this.notifier = parts.notifier();
        this.channel = channel;
    }

    void list(RequestContext call) {
        String tenant = ControlHandlers.tenant(call);
        ControlHandlers.list(call, json -> {
            List<Subscription> chosen = gateway.view().recipients().stream()
                    .filter(r -> r.id().channel() == channel && call.caller().maySee(r.id().tenant()))
                    .filter(r -> tenant == null || tenant.equals(r.id().tenant()))
                    .toList();
            Map<SubscriptionId, Notifier.Status> statuses = notifier.statuses(chosen);
            chosen.forEach(r -> ControlHandlers.write(json, body(r, statuses.get(r.id()), null)));
        });
    }

    void show(RequestContext call) {
        Subscription subscription = named(call);
        call.streaming(ControlHandlers.JSON, out -> {
            Notifier.Status status = notifier.statuses(List.of(subscription)).get(subscription.id());
            out.write(Json.write(body(subscription, status, null)));
            out.write('\n');
        });
    }

    void add(RequestContext call) {
        SubscriptionRequest request = call.body(
                SubscriptionRequest.class,
                new SubscriptionRequest(null, null, null, null, null, null, null, null, null, null));
        if (request.name() == null || !NameRules.valid(request.name())) {
            throw new RefusedException(Problem.BAD_INPUT, "name must be " + NameRules.RULE);
        }
        SubscriptionId id = new SubscriptionId(channel, tenant(call, request.tenant()), request.name());
        boolean made = channel == Channel.WEBHOOK && request.secret() == null;
        Set<GroupId> groups = groups(call, id, request.groups());
        Set<NotificationType> kinds = SubscriptionParser.read(request.kinds());
        String url = url(request);
        List<String> to = to(request);
        DeliveryOptions options = options(request);
        String given = channel == Channel.MAIL ? "" : made ? null : secret(request.secret());
        Once once = call.once();
        // A repeated request gets the same secret, as long as this process knows it.
        Subscription subscription = memory.keep(
                once,
                Subscription.class,
                () -> new Subscription(
                        id,
                        groups,
                        kinds,
                        url,
                        to,
                        given == null ? WebhookSignature.freshSecret() : given,
                        parts.clock().now().wall(),
                        0,
                        options));
        call.work(() -> lookedUp(subscription))
                .onFailure(failure -> {
                    memory.forget(once, subscription);
                    call.refuse(failure);
                })
                .onSuccess(fine -> call.after(
                        gateway.submit(
                                        new Command.AddRecipient(
                                                subscription, call.caller().actor()),
                                        once)
                                .whenComplete((result, failure) -> {
                                    if (TokenHandlers.nothingDone(failure)
                                            || result != null && result.repeated() && !isThere(subscription)) {
                                        memory.forget(once, subscription);
                                    }
                                }),
                        result -> {
                            if (made && result.repeated() && !isThere(subscription)) {
                                throw new RefusedException(
                                        Problem.CONFLICT,
                                        "webhook " + id
                                                + " was created by the first request with this key, and its secret is"
                                                + " returned only once; remove it ('forewarn webhook remove " + id
                                                + "') and add it again");
                            }
                            Subscription there = gateway.view().recipient(id).orElse(subscription);
                            return body(there, FRESH, made ? subscription.secret() : null);
                        }));
    }

    private boolean isThere(Subscription made) {
        return gateway.view()
                .recipient(made.id())
                .filter(there -> there.secret().equals(made.secret()))
                .isPresent();
    }

    private String tenant(RequestContext call, String asked) {
        if (asked == null) {
            return call.caller().everyTenant()
                    ? SubscriptionId.EVERY_TENANT
                    : call.caller().tenant();
        }
        if (!asked.equals(SubscriptionId.EVERY_TENANT) && !NameRules.valid(asked)) {
            throw new RefusedException(Problem.BAD_INPUT, "tenant must be " + NameRules.RULE);
        }
        call.caller().mustOpen(asked);
        return asked;
    }

    private Set<GroupId> groups(RequestContext call, SubscriptionId id, List<String> names) {
        Set<GroupId> groups = new HashSet<>();
        NameLookup lookup = new NameLookup(gateway.view(), call.caller(), id.everyTenant() ? null : id.tenant());
        for (String name : names == null ? List.<String>of() : names) {
            GroupId group = lookup.group(name).id();
            if (!id.everyTenant() && !group.tenant().equals(id.tenant())) {
                throw new RefusedException(
                        Problem.BAD_INPUT,
                        "group " + group + " is not of tenant " + id.tenant() + ", which it is subscribed to");
            }
            groups.add(group);
        }
        if (groups.size() > MOST_GROUPS) {
            throw new RefusedException(
                    Problem.BAD_INPUT, "at most " + MOST_GROUPS + " groups can be given; leave them out for all");
        }
        return groups;
    }

    private String url(SubscriptionRequest request) {
        if (channel == Channel.MAIL) {
            if (request.url() != null || request.secret() != null) {
                throw new RefusedException(
                        Problem.BAD_INPUT, "mail has no url and no secret; use 'to' for its addresses");
            }
            return "";
        }
        return notifier.targets().check(request.url()).toString();
    }

    private List<String> to(SubscriptionRequest request) {
        List<String> to = request.to() == null ? List.of() : request.to();
        if (channel == Channel.WEBHOOK) {
            if (!to.isEmpty()) {
                throw new RefusedException(Problem.BAD_INPUT, "a webhook has no 'to'; use 'url' for its address");
            }
            return List.of();
        }
        if (!notifier.settings().smtp().isThere()) {
            throw new RefusedException(
                    Problem.CONFLICT,
                    "no mail server is set; set notifications.smtp.host, port, tls and from, and start the service again");
        }
        if (to.isEmpty() || to.size() > MOST_ADDRESSES) {
            throw new RefusedException(Problem.BAD_INPUT, "'to' must name 1 to " + MOST_ADDRESSES + " addresses");
        }
        for (String address : to) {
            if (!MailAddress.valid(address)) {
                throw new RefusedException(
                        Problem.BAD_INPUT,
                        "'" + address.replaceAll("\\p{Cntrl}", "?") + "' is not " + MailAddress.RULE);
            }
        }
        return to;
    }

    private DeliveryOptions options(SubscriptionRequest request) {
        boolean mail = channel == Channel.MAIL;
        if (mail && request.format() != null) {
            throw new RefusedException(Problem.BAD_INPUT, "mail has no format; only a webhook has one");
        }
        if (!mail && request.digest() != null) {
            throw new RefusedException(
                    Problem.BAD_INPUT, "a webhook gets each notification at once; only mail has a digest");
        }
        return new DeliveryOptions(
                word("digest", DigestSchedule.Frequency.class, request.digest(), DeliveryOptions.DEFAULTS.digest()),
                request.zone() == null ? null : PolicyText.zone(request.zone()),
                word("format", WebhookFormat.class, request.format(), DeliveryOptions.DEFAULTS.format()));
    }

    private static <E extends Enum<E>> E word(String what, Class<E> type, String given, E usual) {
        return given == null
                ? usual
                : EnumNames.parse(type, given)
                        .orElseThrow(() -> new RefusedException(
                                Problem.BAD_INPUT,
                                what + " must be " + EnumNames.either(EnumNames.all(type)) + ", not '" + given + "'"));
    }

    private static String secret(String given) {
        WebhookSignature.check(given);
        return given;
    }

    /** Refuses a name that resolves to an address that is not allowed; a name that cannot be resolved yet is accepted. */
    private Subscription lookedUp(Subscription subscription) {
        if (channel == Channel.WEBHOOK) {
            String host = URI.create(subscription.url()).getHost();
            try {
                notifier.targets().lookUp(host);
            } catch (UnknownHostException notYet) {
                return subscription;
            }
        }
        return subscription;
    }

    void remove(RequestContext call) {
        Command command = new Command.RemoveRecipient(id(call), call.caller().actor());
        call.after(gateway.submit(command, call.once()), SubscriptionHandlers::outcome);
    }

    /** Sends a test notification and returns the result. */
    private static final class Test {
        private final CompletableFuture<Notifier.TestResult> trial = new CompletableFuture<>();
        private volatile boolean begun;
    }

    void test(RequestContext call) {
        Subscription subscription = named(call);
        Command asked =
                new Command.TryRecipient(subscription.id(), call.caller().actor());
        Once once = call.once();
        Test test = memory.keep(once, Test.class, Test::new);
        call.after(
                gateway.submit(asked, once).thenCompose(written -> test(subscription, written, once, test)),
                trial -> new DeliveryTestBody(trial.delivered(), trial.error()));
    }

    private CompletableFuture<Notifier.TestResult> test(
            Subscription subscription, CommandResult written, Once once, Test test) {
        if (!written.repeated()) {
            test.begun = true;
            notifier.test(subscription).whenComplete((trial, failure) -> {
                if (failure == null) {
                    test.trial.complete(trial);
                } else {
                    test.trial.completeExceptionally(failure);
                }
            });
        } else if (!test.begun) {
            memory.forget(once, test);
            return CompletableFuture.failedFuture(new RefusedException(
                    Problem.CONFLICT,
                    "the test was sent by the first request with this key, and its result is not stored; test "
                            + EnumNames.of(channel) + " " + subscription.id() + " again"));
        }
        return test.trial;
    }

    void dead(RequestContext call) {
        SubscriptionId id = named(call).id();
        ControlHandlers.list(call, json -> letters(id).forEach(letter -> ControlHandlers.write(json, body(letter))));
    }

    void resend(RequestContext call) {
        SubscriptionId id = named(call).id();
        ResendRequest request = call.body(ResendRequest.class, new ResendRequest(null));
        Once once = call.once();
        if (once != null && gateway.answered(once).isPresent()) {
            call.after(resend(call, id, List.of(), once), SubscriptionHandlers::outcome);
            return;
        }
        call.work(() -> chosen(id, request.ids()))
                .onFailure(call::refuse)
                .onSuccess(letters -> call.after(resend(call, id, letters, once), SubscriptionHandlers::outcome));
    }

    /** The last command has the key: a request repeated earlier does everything again, and resending twice is harmless. */
    private CompletableFuture<CommandResult> resend(
            RequestContext call, SubscriptionId id, List<DeadLetter> letters, Once once) {
        if (letters.isEmpty() && once == null) {
            return CompletableFuture.completedFuture(CommandResult.NOTHING);
        }
        Actor actor = call.caller().actor();
        CompletableFuture<CommandResult> all = CompletableFuture.completedFuture(CommandResult.NOTHING);
        int from = 0;
        for (; from + PER_COMMAND < letters.size(); from += PER_COMMAND) {
            List<DeadLetter> some = letters.subList(from, from + PER_COMMAND);
            all = all.thenCompose(before -> gateway.submit(new Command.Resend(id, some, before.changes(), actor)));
        }
        List<DeadLetter> last = letters.subList(from, letters.size());
        return all.thenCompose(before -> gateway.submit(new Command.Resend(id, last, before.changes(), actor), once));
    }

    private List<DeadLetter> chosen(SubscriptionId id, List<String> wanted) {
        List<DeadLetter> letters = letters(id);
        if (wanted == null) {
            return letters;
        }
        List<DeadLetter> chosen = new ArrayList<>();
        for (String letterId : wanted) {
            chosen.add(letters.stream()
                    .filter(l -> l.position().toString().equals(letterId))
                    .findFirst()
                    .orElseThrow(() -> new RefusedException(
                            Problem.NOT_FOUND, EnumNames.of(channel) + " " + id + " has no dead letter " + letterId)));
        }
        return chosen;
    }

    private List<DeadLetter> letters(SubscriptionId id) {
        try {
            return notifier.deadLetters(id);
        } catch (StoreException unreadable) {
            throw new RefusedException(
                    Problem.STORE_UNAVAILABLE, "dead letters cannot be read: " + unreadable.getMessage());
        }
    }

    /**
     * A name without a tenant means a subscription to all tenants for callers that see all, else one of the token's
     * tenant.
     */
    private Subscription named(RequestContext call) {
        SubscriptionId id = id(call);
        return gateway.view().recipient(id).orElseThrow(() -> NotFound.recipient(gateway.view(), id));
    }

    private SubscriptionId id(RequestContext call) {
        String typed = call.part(0);
        int slash = typed.indexOf('/');
        String tenant = slash > 0 ? typed.substring(0, slash) : call.query("tenant");
        if (tenant == null) {
            tenant = call.caller().everyTenant()
                    ? SubscriptionId.EVERY_TENANT
                    : call.caller().tenant();
        }
        SubscriptionId id = new SubscriptionId(channel, tenant, typed.substring(slash + 1));
        if (!call.caller().maySee(tenant)) {
            throw new AccessDeniedException(Problem.NOT_FOUND, "there is no " + EnumNames.of(channel) + " named " + id);
        }
        return id;
    }

    private SubscriptionBody body(Subscription subscription, Notifier.Status status, String secret) {
        boolean mail = channel == Channel.MAIL;
        DigestSchedule schedule = notifier.schedule(subscription);
        return new SubscriptionBody(
                subscription.id().name(),
                subscription.id().tenant(),
                subscription.url().isEmpty() ? null : subscription.url(),
                subscription.to().isEmpty() ? null : subscription.to(),
                subscription.groups().isEmpty()
                        ? null
                        : subscription.wants().orderedGroups().stream()
                                .map(GroupId::toString)
                                .toList(),
                subscription.wants().orderedNews().stream().map(EnumNames::of).toList(),
                BodyMapper.time(subscription.createdAt()),
                status.delivered(),
                status.waiting(),
                status.deadLetters(),
                status.attempts() == 0 ? null : status.attempts(),
                status.error().isEmpty() ? null : status.error(),
                mail ? EnumNames.of(schedule.frequency()) : null,
                schedule.atOnce()
                        ? null
                        : BodyMapper.time(schedule.end(parts.clock().now().wall())),
                schedule.zone().getId(),
                mail ? null : EnumNames.of(subscription.options().format()),
                secret);
    }

    private static DeadLetterBody body(DeadLetter letter) {
        return new DeadLetterBody(
                letter.position().toString(),
                EnumNames.of(letter.what()),
                letter.event().isEmpty() ? null : letter.event(),
                BodyMapper.time(letter.at()),
                letter.tries(),
                letter.error(),
                letter.again() ? true : null);
    }

    private static CommandResultBody outcome(CommandResult result) {
        return new CommandResultBody(List.of(), result.changes());
    }
}
