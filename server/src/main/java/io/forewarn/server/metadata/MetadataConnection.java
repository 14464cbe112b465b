package io.forewarn.server.metadata;

import io.forewarn.core.RefusedException;
import io.forewarn.core.engine.EventsDocument;
import io.forewarn.core.engine.GroupView;
import io.forewarn.core.engine.MachineView;
import io.forewarn.core.event.EventId;
import io.forewarn.core.fleet.Group;
import io.forewarn.core.rules.Command;
import io.forewarn.server.http.BodyBudget;
import io.forewarn.server.http.StrictRequests;
import io.forewarn.server.identity.IdentityRequest;
import io.forewarn.wire.azure.ApiVersion;
import io.forewarn.wire.azure.ApprovalJson;
import io.forewarn.wire.azure.InstanceJson;
import io.forewarn.wire.guest.GuestRoute;
import io.vertx.core.Context;
import io.vertx.core.Handler;
import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * One connection, one request after the other. The next is not begun before the present one is answered, so the fields hold
 * for a whole request, also one that is answered later; all of it runs in the connection's context.
 *
 * <p>A poll that changes nothing takes no lock, asks no store and makes no text: the machine is remembered until the fleet
 * changes, the document's bytes until the document does.
 */
final class MetadataConnection implements Handler<HttpServerRequest>, IdentityRequest {
    private static final CharSequence METADATA = HttpHeaders.createOptimized("metadata");
    private static final CharSequence FORWARDED_FOR = HttpHeaders.createOptimized("x-forwarded-for");
    private static final CharSequence IF_NONE_MATCH = HttpHeaders.createOptimized("if-none-match");
    private static final CharSequence PREFER = HttpHeaders.createOptimized("prefer");
    private static final CharSequence PREFERENCE_APPLIED = HttpHeaders.createOptimized("Preference-Applied");
    private static final CharSequence ETAG = HttpHeaders.createOptimized("ETag");

    private static final int MOST_DISCARDED = 1 << 20;

    private final EndpointContext endpoint;
    private final Context context;
    private final SlowClientGuard guard;
    private final PollingMachine caller;
    private final String listener;
    private final String source;

    private HttpServerRequest request;
    private BodyBudget.Account body;

    MetadataConnection(
            EndpointContext endpoint,
            Context context,
            SlowClientGuard guard,
            PollingMachine caller,
            String listener,
            String source) {
        this.endpoint = endpoint;
        this.context = context;
        this.guard = guard;
        this.caller = caller;
        this.listener = listener;
        this.source = source;
    }

    /** The connection has ended. */
    void gone() {
        if (body != null) {
            body.close();
        }
    }

    @Override
    public void handle(HttpServerRequest next) {
        request = next;
        guard.answering();
        guarded(() -> begin(next));
    }

    /** Runs a step of a request, also a later one, so that every request is answered even if the step fails. */
    private void guarded(Runnable step) {
        try {
            step.run();
        } catch (RuntimeException bug) {
            giveUp(request);
            throw bug; // To the context's exception handler, which tells the operator once.
        }
    }

    private void giveUp(HttpServerRequest broken) {
        HttpServerResponse response = broken.response();
        if (response.headWritten() || response.closed()) {
            broken.connection().close();
        } else {
            sendAndClose(PreparedReply.BROKEN, null);
        }
    }

    private void begin(HttpServerRequest next) {
        RequestTarget target = RequestTarget.of(next.uri());
        PreparedReply refusal = next.version() == null ? PreparedReply.MALFORMED : check(target);
        if (refusal != null) {
            refuse(refusal, target.version());
        } else if (next.method() != HttpMethod.GET) {
            receive(target);
        } else {
            switch (target.resource()) {
                case SCHEDULED_EVENTS -> poll(target.version());
                case INSTANCE -> describe(target);
                case VERSIONS -> send(PreparedReply.VERSIONS, null);
                case GUEST -> enabled(this::showGuest);
                case DEAD_PREVIEW, NOTHING -> throw new IllegalStateException("Refused before");
            }
        }
    }

    /** What never became a request. */
    void malformed(HttpServerRequest broken) {
        request = broken;
        guard.answering();
        sendAndClose(
                switch (StrictRequests.fault(broken)) {
                    case LINE_TOO_LONG -> PreparedReply.LINE_TOO_LONG;
                    case HEADERS_TOO_LARGE -> PreparedReply.HEADERS_TOO_LARGE;
                    case UNKNOWN_CODING -> PreparedReply.UNKNOWN_CODING;
                    case NOT_ONE_HOST -> PreparedReply.NOT_ONE_HOST;
                    case MALFORMED -> PreparedReply.MALFORMED;
                },
                null);
    }

    /** The head was fine, the body is not; whether there was still something to answer. */
    boolean brokenBody() {
        if (request == null || request.response().ended()) {
            return false;
        }
        sendAndClose(PreparedReply.MALFORMED, null);
        return true;
    }

    /** In the order of contract §1; null if there is nothing to refuse. */
    private PreparedReply check(RequestTarget target) {
        if (!endpoint.ready) {
            return PreparedReply.STARTING;
        }
        if (!namesUs(target)) {
            return PreparedReply.OTHER_HOST;
        }
        RequestTarget.Resource resource = target.resource();
        MultiMap headers = request.headers();
        if (headers.contains(FORWARDED_FOR) && !endpoint.callerResolver.mayForward(this)) {
            return PreparedReply.FORWARDED;
        }
        boolean post = request.method() == HttpMethod.POST && resource == RequestTarget.Resource.SCHEDULED_EVENTS;
        if (!hasMetadataHeader(headers.get(METADATA), post, target.version())) {
            return PreparedReply.NO_METADATA_HEADER;
        }
        if (resource == RequestTarget.Resource.NOTHING) {
            return PreparedReply.NOT_FOUND;
        }
        if (resource == RequestTarget.Resource.DEAD_PREVIEW) {
            return PreparedReply.DEAD_PREVIEW;
        }
        boolean takes = resource == RequestTarget.Resource.GUEST
                ? request.method().name().equals(target.allow())
                : post || request.method() == HttpMethod.GET;
        if (!takes) {
            return PreparedReply.notAllowed(target.allow());
        }
        if (endpoint.callerResolver.contradicts(this)) {
            return PreparedReply.TWO_IDENTITIES;
        }
        if (!identify()) {
            return PreparedReply.STRANGER;
        }
        if (!caller.admitted()) {
            return PreparedReply.TOO_FAST;
        }
        if (target.repeats()) {
            return PreparedReply.REPEATS;
        }
        return checkVersion(target);
    }

    /** Else a name that an attacker points at this address would make a browser on the machine ask here for it. */
    private boolean namesUs(RequestTarget target) {
        String host = request.headers().get(HttpHeaders.HOST);
        return (host == null || endpoint.isNamed(host))
                && (target.authority() == null || endpoint.isNamed(target.authority()));
    }

    private boolean hasMetadataHeader(String value, boolean post, ApiVersion version) {
        if (value != null) {
            return value.equalsIgnoreCase("true");
        }
        // The page's C# sample posts without it, and so do shipped handlers under later versions: contract §1.
        return post && (endpoint.settings.acceptPostWithoutHeader() || version != null && !version.postNeedsHeader());
    }

    private static PreparedReply checkVersion(RequestTarget target) {
        String given = target.apiVersion();
        boolean known =
                switch (target.resource()) {
                    case SCHEDULED_EVENTS -> target.version() != null;
                    case INSTANCE -> InstanceJson.supports(given);
                    case VERSIONS, GUEST, DEAD_PREVIEW, NOTHING -> true;
                };
        if (known) {
            return null;
        }
        if (given != null && ApiVersion.isDate(given)) {
            return PreparedReply.UNKNOWN_API_VERSION;
        }
        return target.resource() == RequestTarget.Resource.INSTANCE
                ? PreparedReply.NO_INSTANCE_VERSION
                : PreparedReply.NO_API_VERSION;
    }

    private void showGuest() {
        if (!identify()) {
            send(PreparedReply.STRANGER, null); // Removed from the fleet meanwhile.
            return;
        }
        caller.noteGuest();
        send(
                endpoint.guestApi.events(
                        machine(), caller.actor(), endpoint.clock.now().wall()),
                null);
    }

    private boolean identify() {
        return caller.identify(this);
    }

    private MachineView machine() {
        return caller.machine();
    }

    private void poll(ApiVersion version) {
        enabled(() ->
                showAgain(version, endpoint.settings.times().catchUpTimeout().toMillis()));
    }

    /** @param patience for how many milliseconds this node may catch up with what the caller has seen elsewhere */
    private void show(ApiVersion version, long patience) {
        GroupView group = machine().group();
        EventsDocument document = group.document();
        RenderedDocuments.Rendering rendering = endpoint.renderedDocuments.of(group, document, version);
        String known = request.headers().get(IF_NONE_MATCH);
        if (known == null || !Etags.match(known, rendering.etag())) {
            if (known != null && patience > 0 && catchUp(version, group, document, known, patience)) {
                return;
            }
            caller.note(version, document);
            sendDocument(version, rendering);
        } else if (!hold(version, group, document)) {
            if (Etags.isAny(known)) {
                caller.noteUnread(version);
            } else {
                caller.note(version, document);
            }
            sendUnchanged(version, rendering);
        }
    }

    /** Whether the request now waits for a change. */
    private boolean hold(ApiVersion version, GroupView group, EventsDocument document) {
        if (!request.headers().contains(PREFER)) {
            return false;
        }
        long seconds = Math.min(
                PreferHeader.wait(request.headers().getAll(PREFER)),
                endpoint.settings.times().maxWait().toSeconds());
        if (seconds <= 0 || !caller.limiter().hold(endpoint.settings.limits().longPollsPerMachine())) {
            return false;
        }
        request.response().putHeader(PREFERENCE_APPLIED, "wait=" + seconds);
        LongPoll longPoll = new LongPoll(
                endpoint.vertx,
                context,
                group,
                document.incarnation(),
                caller.limiter(),
                () -> guarded(() -> showAfterWait(version, group, document)));
        request.response().closeHandler(gone -> longPoll.drop());
        longPoll.start(seconds * 1000);
        return true;
    }

    /** The caller has seen more at another node: this one knows it in a moment, step by step. */
    private boolean catchUp(ApiVersion version, GroupView group, EventsDocument document, String known, long patience) {
        if (!endpoint.follows.getAsBoolean()
                || !Etags.isLater(known, document.incarnation())
                || !caller.limiter().hold(endpoint.settings.limits().longPollsPerMachine())) {
            return false;
        }
        long began = endpoint.elapsedNanos.getAsLong();
        LongPoll longPoll = new LongPoll(
                endpoint.vertx,
                context,
                group,
                document.incarnation(),
                caller.limiter(),
                () -> guarded(() -> showAgain(
                        version, patience - TimeUnit.NANOSECONDS.toMillis(endpoint.elapsedNanos.getAsLong() - began))));
        request.response().closeHandler(gone -> longPoll.drop());
        longPoll.start(patience);
        return true;
    }

    private void showAgain(ApiVersion version, long patience) {
        if (identify()) {
            show(version, patience);
        } else {
            send(PreparedReply.STRANGER, version); // Removed from the fleet meanwhile.
        }
    }

    private void showAfterWait(ApiVersion version, GroupView of, EventsDocument before) {
        if (!identify()) {
            send(PreparedReply.STRANGER, version); // Removed from the fleet meanwhile.
            return;
        }
        GroupView group = machine().group();
        EventsDocument document = group.document();
        caller.note(version, document);
        RenderedDocuments.Rendering rendering = endpoint.renderedDocuments.of(group, document, version);
        if (group == of && document.incarnation() == before.incarnation()) {
            sendUnchanged(version, rendering);
        } else {
            sendDocument(version, rendering);
        }
    }

    private void describe(RequestTarget target) {
        Group group = machine().group().group();
        if (group == null) {
            send(PreparedReply.STRANGER, null); // Removed from the fleet just now.
            return;
        }
        PreparedReply reply = new InstanceJson(machine().machine(), group, endpoint.settings.instance())
                .at(target.below(), target.wantsText())
                .map(node -> new PreparedReply(
                        200,
                        Buffer.buffer(node.body()),
                        node.text() ? PreparedReply.TEXT : PreparedReply.JSON,
                        null,
                        null))
                .orElse(PreparedReply.NOT_FOUND);
        send(reply, null);
    }

    private void receive(RequestTarget target) {
        ApiVersion version = target.version();
        int limit = endpoint.settings.limits().maxBodyBytes();
        if (expectsContinue() && BodyReader.announced(request) <= limit) {
            request.response().writeContinue();
        }
        guard.receiving();
        body = endpoint.bodies.open(machine().machine().id().tenant());
        BodyReader.read(request, limit, body, new BodyReader.Receiver() {
            @Override
            public void whole(Buffer bytes) {
                guarded(() -> received(target, bytes));
            }

            @Override
            public void tooLarge() {
                refuseRest(PreparedReply.tooLarge(limit), version);
            }

            @Override
            public void noRoom() {
                refuseRest(PreparedReply.BODIES_FULL, version);
            }
        });
    }

    private void received(RequestTarget target, Buffer bytes) {
        guard.answering();
        endpoint.inFlightRequests.add(request.response());
        if (!identify()) {
            send(PreparedReply.STRANGER, target.version()); // Removed from the fleet while it spoke.
        } else if (target.guest() == null) {
            approve(target.version(), bytes);
        } else {
            hear(target.guest(), bytes);
        }
    }

    private void approve(ApiVersion version, Buffer body) {
        List<EventId> events;
        try {
            events = ApprovalJson.parse(body.getBytes());
        } catch (RefusedException refusal) {
            send(PreparedReply.of(refusal), version);
            return;
        }
        endpoint.gateway
                .submit(new Command.Approve(machine().group().id(), events, caller.actor()))
                .whenComplete(
                        (result, failure) -> context.runOnContext(v -> guarded(() -> approved(version, failure))));
    }

    private void hear(GuestRoute.Match match, Buffer body) {
        Command command;
        try {
            command = endpoint.guestApi.command(match, body, machine(), caller.actor());
        } catch (RefusedException refusal) {
            send(PreparedReply.of(refusal), null);
            return;
        }
        MachineView guest = machine();
        endpoint.gateway
                .submit(command)
                .whenComplete((result, failure) -> context.runOnContext(v -> guarded(() -> {
                    if (failure == null) {
                        enabled(() -> heard(match, guest));
                    } else {
                        send(refusal(failure), null);
                    }
                })));
    }

    private void heard(GuestRoute.Match match, MachineView guest) {
        caller.noteGuest();
        send(endpoint.guestApi.done(match, guest, endpoint.clock.now().wall()), null);
    }

    private static PreparedReply refusal(Throwable failure) {
        Throwable cause = RefusedException.causeOf(failure);
        return cause instanceof RefusedException refusal ? PreparedReply.of(refusal) : PreparedReply.BROKEN;
    }

    private void approved(ApiVersion version, Throwable failure) {
        if (failure != null) {
            send(refusal(failure), version);
            return;
        }
        // An approval answered 200 is a request like a poll: contract §5. It hands out no document: incarnation 0.
        Runnable done = () -> {
            caller.noteUnread(version);
            send(PreparedReply.APPROVED, version);
        };
        enabled(done);
    }

    /** Goes on when the group of the machine is enabled, which any request that is answered with 200 does. */
    private void enabled(Runnable next) {
        GroupView group = machine().group();
        if (endpoint.groupEnabler.needed(group, endpoint.coarseMillis.getAsLong())) {
            endpoint.groupEnabler.enable(context, group, caller.actor(), () -> guarded(next));
        } else {
            next.run();
        }
    }

    /** At once. What follows of its body is thrown away as it comes; a small one does not cost the client its connection. */
    private void refuse(PreparedReply refusal, ApiVersion version) {
        HttpServerRequest refused = request;
        int limit = endpoint.settings.limits().maxBodyBytes();
        if (expectsContinue() || refused.version() == null) {
            sendAndClose(refusal, version);
        } else if (!BodyReader.follows(refused)) {
            send(refusal, version);
        } else if (BodyReader.announced(refused) > limit) {
            refuseRest(refusal, version);
        } else {
            BodyReader.discard(refused, limit, whole -> {
                if (whole) {
                    guard.answered();
                } else {
                    refused.connection().close();
                }
            });
            send(refusal, version);
            guard.receiving();
        }
    }

    /** The connection is of no more use; it is closed when a little of the rest has come, so that the client can read our answer first. */
    private void refuseRest(PreparedReply refusal, ApiVersion version) {
        HttpServerRequest refused = request;
        BodyReader.discard(
                refused, MOST_DISCARDED, whole -> refused.connection().close());
        refusal.prepare(refused.response().putHeader(HttpHeaders.CONNECTION, HttpHeaders.CLOSE));
        refused.response().end(refusal.body());
        over(version, refusal.status());
        guard.receiving();
    }

    private boolean expectsContinue() {
        return "100-continue".equalsIgnoreCase(request.getHeader(HttpHeaders.EXPECT));
    }

    private void sendDocument(ApiVersion version, RenderedDocuments.Rendering rendering) {
        HttpServerResponse response = request.response();
        if (response.closed()) {
            return;
        }
        response.putHeader(PreparedReply.CONTENT_TYPE, PreparedReply.JSON).putHeader(ETAG, rendering.etag());
        tellAge(response);
        response.end(rendering.body());
        over(version, 200);
    }

    /** How old the answer may be, on a node that has not heard the writer for long. */
    private void tellAge(HttpServerResponse response) {
        long age = endpoint.age.getAsLong();
        if (age > 0) {
            response.putHeader(HttpHeaders.AGE, Long.toString(age));
        }
    }

    private void sendUnchanged(ApiVersion version, RenderedDocuments.Rendering rendering) {
        HttpServerResponse response = request.response();
        if (response.closed()) {
            return;
        }
        tellAge(response);
        response.setStatusCode(304).putHeader(ETAG, rendering.etag()).end();
        over(version, 304);
    }

    private void send(PreparedReply reply, ApiVersion version) {
        HttpServerResponse response = request.response();
        if (response.closed()) {
            return;
        }
        reply.prepare(response);
        response.end(reply.body());
        over(version, reply.status());
    }

    private void sendAndClose(PreparedReply reply, ApiVersion version) {
        HttpServerRequest last = request;
        reply.prepare(last.response().putHeader(HttpHeaders.CONNECTION, HttpHeaders.CLOSE));
        last.response().end(reply.body()).onComplete(sent -> last.connection().close());
        over(version, reply.status());
    }

    private void over(ApiVersion version, int status) {
        endpoint.counters.count(version, status);
        guard.answered();
    }

    @Override
    public String listener() {
        return listener;
    }

    @Override
    public String source() {
        return source;
    }

    @Override
    public String header(CharSequence name) {
        return request.getHeader(name);
    }

    @Override
    public int count(CharSequence name) {
        return request.headers().getAll(name).size();
    }
}
