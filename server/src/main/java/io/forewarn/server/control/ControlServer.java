package io.forewarn.server.control;

import io.forewarn.console.ConsoleFiles;
import io.forewarn.core.Problem;
import io.forewarn.core.RefusedException;
import io.forewarn.core.engine.Clock;
import io.forewarn.core.engine.CommandGateway;
import io.forewarn.core.notification.Channel;
import io.forewarn.server.forward.ForwardProtocol;
import io.forewarn.server.forward.ForwardedCaller;
import io.forewarn.server.forward.ForwardedRequest;
import io.forewarn.server.forward.NotDoneException;
import io.forewarn.server.forward.VouchedRequest;
import io.forewarn.server.http.AcceptHook;
import io.forewarn.server.http.BindErrors;
import io.forewarn.server.http.BodyBudget;
import io.forewarn.server.http.HostNames;
import io.forewarn.server.http.InFlightRequests;
import io.forewarn.server.http.StrictRequests;
import io.forewarn.server.log.Log;
import io.forewarn.server.log.LogLine;
import io.forewarn.server.settings.ListenSettings;
import io.forewarn.wire.ProblemStatus;
import io.forewarn.wire.control.EnumNames;
import io.forewarn.wire.control.ErrorBody;
import io.forewarn.wire.control.HostPort;
import io.forewarn.wire.control.Json;
import io.forewarn.wire.control.LocalToken;
import io.forewarn.wire.control.Route;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.impl.Http1xServerConnection;
import io.vertx.core.net.PemKeyCertOptions;
import java.io.Closeable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/** Runs the control API: authenticates callers by token and dispatches requests to their handlers. */
public final class ControlServer {
    private static final int LARGEST_BODY = 1 << 20;
    private static final int LARGEST_OF_NODES = 4 << 20;
    private static final long BETWEEN_LOOKS_MILLIS = 2_000;
    private static final long LONGEST_BODY_MILLIS = 60_000;
    /** Names under which other callers share connections and memory like a tenant. No tenant can have them. */
    private static final String EVERYBODY = "*all";

    private static final String NODES = "*nodes";

    private final Vertx vertx;
    private final ListenSettings listen;
    private final ServiceInfo facts;
    private final PeerNodes peers;
    private final TokenAuthenticator authenticator;
    private final TokenExpiryWatch tokenExpiryWatch;
    private final TlsFiles tls;
    private final Clock clock;
    private final ConnectionLimiter connectionLimiter;
    private final AcceptHook accepts;
    private final BodyBudget bodies;
    private final RefusalLog refusals;
    private final HostNames names;
    private final ControlHandlers controlHandlers;
    private final FleetHandlers fleet;
    private final ListHandlers lists;
    private final HostHandlers hosts;
    private final RolloutHandlers rollouts;
    private final TokenHandlers tokens;
    private final TenantHandlers tenants;
    private final AuditHandlers audit;
    private final SearchHandlers search;
    private final CommandGateway gateway;
    private final HistoryHandlers answers;
    private final SubscriptionHandlers webhooks;
    private final SubscriptionHandlers mails;
    private final EventStreams streams;
    private final CalendarHandlers calendars;
    private final SessionCookies cookies;
    private final SignInLinks links;
    private final SessionHandlers sessions;
    private final OverviewHandlers overview;
    private final ConsoleHandlers console = new ConsoleHandlers();
    private final WorkerPools workers;
    private final InFlightRequests inFlightRequests = new InFlightRequests();
    private final Log log;
    private final String localSecret = Secrets.fresh();

    private HttpServerOptions options;
    private HttpServer server;
    private Closeable localToken;

    public ControlServer(Vertx vertx, ListenSettings listen, ControlParts parts) {
        this.vertx = vertx;
        this.listen = listen;
        this.facts = parts.facts();
        this.log = parts.log();
        this.peers = parts.peers();
        this.authenticator = new TokenAuthenticator(
                parts.gateway()::view, parts.clock(), facts::ready, localSecret, parts.machineTime());
        this.cookies = new SessionCookies(parts.sessionKey(), parts.machineTime(), listen.tls());
        this.links = new SignInLinks(vertx);
        this.sessions = new SessionHandlers(cookies, links);
        this.overview = new OverviewHandlers(parts);
        this.tokenExpiryWatch = new TokenExpiryWatch(vertx, authenticator);
        this.connectionLimiter = new ConnectionLimiter(vertx, parts.quota());
        this.accepts = parts.accepts();
        this.bodies = parts.bodies();
        this.refusals = new RefusalLog(vertx, log);
        Set<String> ours = new HashSet<>(listen.controlHostNames());
        ours.add(listen.control().host());
        this.names = new HostNames(ours);
        this.clock = parts.clock();
        this.tls = new TlsFiles(listen);
        this.controlHandlers = new ControlHandlers(parts, tls);
        this.lists = new ListHandlers(parts);
        this.hosts = new HostHandlers(parts);
        this.rollouts = new RolloutHandlers(parts);
        RequestMemory memory = new RequestMemory(vertx);
        this.tokens = new TokenHandlers(parts, memory);
        this.tenants = new TenantHandlers(parts.gateway());
        this.gateway = parts.gateway();
        this.answers = new HistoryHandlers(parts);
        this.audit = new AuditHandlers(parts);
        this.search = new SearchHandlers(parts);
        this.webhooks = new SubscriptionHandlers(parts, Channel.WEBHOOK, memory);
        this.mails = new SubscriptionHandlers(parts, Channel.MAIL, memory);
        this.streams = new EventStreams(vertx, parts, authenticator);
        this.calendars = new CalendarHandlers(parts);
        this.fleet = new FleetHandlers(vertx, parts.gateway(), parts.facts(), parts.intake(), memory);
        this.workers = new WorkerPools(vertx);
    }

    /**
     * Listens, and stores the token for this process's own user. Fails with a {@link RefusedException} if the port is
     * taken.
     */
    public Future<HostPort> start() {
        options = new HttpServerOptions()
                .setMaxHeaderSize(16 * 1024)
                .setMaxInitialLineLength(8 * 1024)
                .setHttp2ClearTextEnabled(false)
                .setIdleTimeout(5)
                .setIdleTimeoutUnit(TimeUnit.MINUTES);
        if (listen.tls()) {
            options.setSsl(true).setKeyCertOptions(tls.read(vertx)).setSslHandshakeTimeout(5);
            accepts.onAccept(connectionLimiter::accepted);
            if (tls.ended(clock.now().wall())) {
                log.write(tls.line(clock.now().wall()));
            }
            vertx.setPeriodic(BETWEEN_LOOKS_MILLIS, timer -> lookAtTls());
        }
        server = vertx.createHttpServer(options)
                .connectionHandler(this::connected)
                .exceptionHandler(gone -> {}) // Clients may disconnect at any time.
                .requestHandler(request -> {}); // Replaced for each connection.
        return server.listen(listen.control().port(), listen.control().host())
                .map(up -> leaveToken(new HostPort(listen.control().host(), up.actualPort())))
                .recover(failure -> Future.failedFuture(refusal(failure)));
    }

    /** Reloads a renewed certificate; if the new one is invalid, that is logged and the old one stays. */
    private void lookAtTls() {
        workers.<Optional<PemKeyCertOptions>>brief(
                        () -> tls.changed() ? Optional.of(tls.read(vertx)) : Optional.empty())
                .onFailure(wrong -> log.write(LogLine.error("tls-not-read").with("failure", wrong.getMessage())))
                .onSuccess(pair -> pair.ifPresent(this::show));
    }

    private void show(PemKeyCertOptions pair) {
        server.updateSSLOptions(options.getSslOptions().copy().setKeyCertOptions(pair))
                .onFailure(wrong -> log.write(LogLine.error("tls-not-read").with("failure", wrong.getMessage())))
                .onSuccess(done -> log.write(tls.line(clock.now().wall())));
    }

    private RefusedException refusal(Throwable failure) {
        if (failure instanceof RefusedException said) {
            return said;
        }
        if (listen.tls() && !(failure instanceof IOException)) {
            return tls.unusable(failure.getMessage());
        }
        return new RefusedException(
                Problem.CONFLICT,
                "control cannot listen on " + listen.control() + ": " + BindErrors.why(listen.control(), failure)
                        + ". Choose another address or port with --control HOST:PORT");
    }

    /** Completes when the requests to the writer are answered, or after two seconds. */
    public Future<Void> close() {
        try {
            if (localToken != null) {
                localToken.close();
            }
        } catch (IOException left) {
            // The token is invalid once this process has ended.
        }
        return server == null
                ? Future.succeededFuture()
                : inFlightRequests
                        .over(vertx)
                        .compose(answered -> server.close())
                        .eventually(workers::close);
    }

    private HostPort leaveToken(HostPort control) {
        try {
            localToken = LocalToken.leave(control, localSecret);
            workers.brief(() -> {
                LocalToken.sweep(); // Leftover tokens are invalid, so that a failure does not matter.
                return null;
            });
            return control;
        } catch (IOException unwritable) {
            throw new RefusedException(
                    Problem.CONFLICT, "the token for the local user cannot be written: " + unwritable.getMessage());
        }
    }

    /** The path of a link that opens the console as this process's own user, once. */
    public String signInPath() {
        return ConsoleFiles.PREFIX + "#sign-in=" + links.create(authenticator.localUser());
    }

    private void connected(HttpConnection connection) {
        StrictRequests.on(connection, options);
        connectionLimiter.connected(connection);
        connection.exceptionHandler(gone -> {});
        if (connection instanceof Http1xServerConnection plain) {
            AtomicReference<RequestContext> last = new AtomicReference<>();
            plain.handler(request -> last.set(handle(request))).invalidRequestHandler(this::malformed);
            StrictRequests.onBrokenBody(connection, () -> brokenBody(last.get()));
        }
    }

    /** Answers a client whose body is not valid HTTP; false if the response was already sent. */
    private static boolean brokenBody(RequestContext call) {
        if (call == null || call.request().isEnded() || call.isOver()) {
            return false;
        }
        call.error(400, new ErrorBody("the chunks of the body are malformed", EnumNames.of(Problem.BAD_INPUT), null));
        return true;
    }

    private RequestContext handle(HttpServerRequest request) {
        connectionLimiter.asked(request.connection(), request.response());
        RequestContext call = call(request);
        call.attempt(() -> {
            mustNameUs(request);
            route(call);
        });
        return call;
    }

    private RequestContext call(HttpServerRequest request) {
        return new RequestContext(
                request, vertx.getOrCreateContext(), workers, log, inFlightRequests, this::refused, refusals);
    }

    /** Answers an invalid request and closes the connection. */
    private void malformed(HttpServerRequest broken) {
        StrictRequests.Fault fault = StrictRequests.fault(broken);
        String why =
                switch (fault) {
                    case LINE_TOO_LONG -> "the request line is too long";
                    case HEADERS_TOO_LARGE -> "the request headers are too large";
                    case UNKNOWN_CODING -> "the only supported Transfer-Encoding is chunked";
                    case NOT_ONE_HOST -> "HTTP/1.1 requires exactly one Host header";
                    case MALFORMED -> "this is not HTTP/1.0 or HTTP/1.1";
                };
        int status =
                switch (fault) {
                    case LINE_TOO_LONG -> 414;
                    case HEADERS_TOO_LARGE -> 431;
                    case UNKNOWN_CODING -> 501;
                    case NOT_ONE_HOST, MALFORMED -> 400;
                };
        broken.response().putHeader("Connection", "close");
        call(broken).error(status, new ErrorBody(why, EnumNames.of(Problem.BAD_INPUT), null));
    }

    /** Health checks may use any host name, as load balancers do. Nodes of the cluster authenticate in another way. */
    private void mustNameUs(HttpServerRequest request) {
        String path = request.path() == null ? "" : request.path();
        if (path.startsWith(ForwardProtocol.PREFIX)
                || path.equals(Route.HEALTH.uri())
                || path.equals(Route.READY.uri())) {
            return;
        }
        String host = request.getHeader("Host");
        String line = request.uri();
        String whole = line.regionMatches(true, 0, "http", 0, 4) && line.contains("://")
                ? line.replaceFirst("^[A-Za-z]+://", "").replaceFirst("[/?#].*$", "")
                : null;
        for (String named : new String[] {host, whole}) {
            if (named != null && !names.accept(named) && !new HostNames(tls.names()).accept(named)) {
                throw new RefusedException(
                        Problem.BAD_INPUT,
                        "the Host header names another server; add names of this server to the setting listen.control-host-names");
            }
        }
    }

    private void route(RequestContext call) {
        HttpServerRequest request = call.request();
        String path = request.path() == null ? "" : request.path();
        if (path.startsWith(ForwardProtocol.PREFIX)) {
            internal(call, path.substring(ForwardProtocol.PREFIX.length()));
            return;
        }
        if (ConsoleHandlers.serves(request)) {
            console.serve(call);
            return;
        }
        Route.Match match = Route.match(request.method().name(), path).orElse(null);
        if (match == null || !match.route().open()) {
            Caller caller = authenticate(call, match);
            call.admitted(caller, () -> authenticator.stillOpen(caller));
            connectionLimiter.admitted(request.connection(), caller.everyTenant() ? EVERYBODY : caller.tenant());
        }
        if (match == null) {
            notFound(call, path);
            return;
        }
        if (!match.route().open()) {
            call.caller().must(match.route().access());
            if (request.method().name().equals("GET")) {
                tokenExpiryWatch.watch(call);
            }
        }
        call.matched(match);
        if (!match.route().open() && !facts.ready()) {
            throw new RefusedException(Problem.NOT_READY, "the service is starting or stopping; try again in a moment");
        }
        if (!peers.writes() && passedOn(match.route())) {
            pass(call);
        } else {
            take(call, null);
        }
    }

    /** By a token, or else by the cookie of a browser. The code of a link is good for nothing but a session. */
    private Caller authenticate(RequestContext call, Route.Match match) {
        HttpServerRequest request = call.request();
        String address =
                request.remoteAddress() == null ? null : request.remoteAddress().hostAddress();
        String from = address == null ? "" : address;
        String authorization = request.getHeader("Authorization");
        boolean signsIn = match != null && match.route() == Route.SESSION_START;
        if (signsIn
                && authorization != null
                && authorization.startsWith(TokenAuthenticator.SCHEME + SignInLinks.PREFIX)) {
            Caller caller = links.redeem(authorization.substring(TokenAuthenticator.SCHEME.length()), from);
            if (!authenticator.stillOpen(caller)) {
                throw new RefusedException(
                        Problem.UNAUTHENTICATED, "the token of this link was revoked or has expired");
            }
            return caller;
        }
        boolean calendar = match != null && match.route() == Route.CALENDAR && authorization == null;
        String secret = calendar ? call.parameters().get("token") : null;
        if (secret != null) {
            return authenticator.admitCalendar(secret, from);
        }
        SessionCookies.Session session = authorization == null && !signsIn ? cookies.read(request) : null;
        return session == null ? authenticator.admit(authorization, from) : authenticator.admit(session, from);
    }

    /**
     * Decides how much of a body is read: fleet files go to disk, all others are small.
     *
     * @param vouched the body's digest, signed by the forwarding node; null if it was not forwarded
     */
    private void take(RequestContext call, String vouched) {
        if (call.route() == Route.FLEET_APPLY) {
            fleet.apply(call, vouched);
        } else if (call.request().method().name().equals("GET")) {
            answer(call);
        } else {
            collect(call, LARGEST_BODY, vouched, () -> {
                // Another node may become the writer meanwhile; a forwarded request is then refused and retried.
                call.otherwise(vouched == null && !peers.alone() ? () -> passBody(call) : null);
                answer(call);
            });
        }
    }

    private void pass(RequestContext call) {
        if (call.route() == Route.FLEET_APPLY) {
            fleet.pass(call, (file, digest) -> {
                        call.waits();
                        return Future.fromCompletionStage(peers.pass(passed(call, file, digest), call::isOver));
                    })
                    .onSuccess(call::reply)
                    .onFailure(call::refuse);
        } else {
            collect(call, LARGEST_BODY, null, () -> passBody(call));
        }
    }

    /** Audits refusals that never became a command: refused changes, and reads without permission. */
    private void refused(RequestContext call, RefusedException refusal) {
        boolean told = refusal instanceof AccessDeniedException
                || call.asksForChange() && !ProblemStatus.passing(refusal.problem());
        if (told && call.caller() != null) {
            String asked = call.request().method().name() + " " + call.path();
            gateway.denied(asked, refusal, call.caller().actor());
        }
    }

    private void notFound(RequestContext call, String path) {
        List<String> methods = Route.methods(path);
        if (methods.isEmpty()) {
            call.error(
                    404,
                    new ErrorBody(
                            "there is nothing at " + path + "; the paths begin with /v1, as in /v1/status",
                            EnumNames.of(Problem.NOT_FOUND),
                            null));
        } else {
            call.request().response().putHeader("Allow", String.join(", ", methods));
            call.error(
                    405,
                    new ErrorBody(
                            path + " takes " + EnumNames.either(methods) + ", not "
                                    + call.request().method().name(),
                            EnumNames.of(Problem.BAD_INPUT),
                            null));
        }
    }

    /** Reads are answered by this node, except for what only the writer knows: the end of the audit log. */
    private static boolean passedOn(Route route) {
        boolean session = route == Route.SESSION_START || route == Route.SESSION_END || route == Route.SESSION_LINK;
        return !session && !route.method().equals("GET") || route == Route.AUDIT_VERIFY;
    }

    private static ForwardedRequest passed(RequestContext call, Path file, String digest) {
        HttpServerRequest request = call.request();
        String method = request.method().name();
        String type = request.getHeader("Content-Type");
        String caller =
                ForwardedCaller.of(call.caller().token(), call.caller().from()).text();
        String key = request.getHeader("Idempotency-Key");
        return file == null
                ? ForwardedRequest.of(method, conditional(call), type, call.body(), caller, key)
                : ForwardedRequest.ofFile(method, conditional(call), type, file, digest, caller, key);
    }

    /** Nodes forward the URL, but not every header: a condition becomes the equivalent query parameter. */
    private static String conditional(RequestContext call) {
        boolean mustBeNew = call.route() == Route.MACHINE_PUT
                && call.query("only") == null
                && "*".equals(call.request().getHeader(FleetHandlers.IF_NONE_MATCH));
        return mustBeNew ? call.uri() + (call.uri().contains("?") ? "&" : "?") + "only=new" : call.uri();
    }

    private void passBody(RequestContext call) {
        call.waits();
        peers.pass(passed(call, null, null), call::isOver).whenComplete((reply, failure) -> {
            if (failure != null) {
                call.refuse(failure);
            } else {
                call.reply(reply);
            }
        });
    }

    /**
     * Handles a request forwarded by another node, whose caller is authenticated here as well. The body of an unknown
     * caller is not read.
     */
    private void internal(RequestContext call, String path) {
        HttpServerRequest request = call.request();
        String uri = request.uri().substring(ForwardProtocol.PREFIX.length());
        call.passedOn(uri);
        VouchedRequest vouched = peers.vouched(request.method().name(), uri, request::getHeader);
        connectionLimiter.admitted(request.connection(), NODES);
        if (!peers.writes() || facts.ending()) {
            throw new NotDoneException("this node is not the writer; try again in a moment");
        }
        if (path.equals(ForwardProtocol.COMMAND) || path.equals(ForwardProtocol.REPORTS)) {
            collect(call, LARGEST_OF_NODES, vouched.body(), () -> machines(call, path));
            return;
        }
        nameCommit(call);
        Caller caller = authenticator.admit(
                Json.message(ForwardedCaller.class, vouched.caller().getBytes(StandardCharsets.UTF_8)));
        call.admitted(caller, () -> authenticator.stillOpen(caller));
        Route.Match match = Route.match(request.method().name(), path)
                .orElseThrow(() -> new RefusedException(Problem.NOT_FOUND, "there is nothing at " + path));
        call.caller().must(match.route().access());
        if (request.method().name().equals("GET")) {
            tokenExpiryWatch.watch(call);
        }
        call.matched(match);
        take(call, vouched.body());
    }

    private void machines(RequestContext call, String path) {
        if (path.equals(ForwardProtocol.COMMAND)) {
            CompletionStage<?> decided = peers.command(call.body());
            nameCommit(call);
            call.afterForwarded(decided);
        } else {
            peers.reports(call.body());
            call.noContent();
        }
    }

    /** Tells the node that asks which commit the answer depends on. */
    private void nameCommit(RequestContext call) {
        HttpServerResponse response = call.request().response();
        response.headersEndHandler(v -> response.putHeader(ForwardProtocol.COMMIT, Long.toString(gateway.commit())));
    }

    /** Both digests in hex. */
    static void mustBe(String vouched, String came) {
        if (!vouched.equals(came)) {
            throw new RefusedException(
                    Problem.FORBIDDEN,
                    "only nodes of this cluster may use this path: the body does not match its signature");
        }
    }

    private void collect(RequestContext call, int largest, String vouched, Runnable then) {
        if ("100-continue".equalsIgnoreCase(call.request().getHeader("Expect"))) {
            call.request().response().writeContinue();
        }
        Buffer body = Buffer.buffer();
        BodyBudget.Account account = bodies.open(holder(call, vouched));
        long late = vertx.setTimer(
                LONGEST_BODY_MILLIS, timer -> call.request().connection().close());
        call.request().response().bodyEndHandler(answered -> account.close()).closeHandler(gone -> account.close());
        call.request()
                .exceptionHandler(gone -> {
                    vertx.cancelTimer(late);
                    account.close();
                })
                .handler(part -> {
                    if (body.length() + part.length() > largest) {
                        notTaken(call, account, Problem.TOO_LARGE, "the body is larger than " + largest + " bytes");
                    } else if (account.take(part.length())) {
                        body.appendBuffer(part);
                    } else {
                        notTaken(
                                call,
                                account,
                                Problem.BUSY,
                                "too many requests are being received; try again in a moment");
                    }
                })
                .endHandler(v -> {
                    vertx.cancelTimer(late);
                    call.received(body.getBytes());
                    call.attempt(() -> {
                        call.mustStillBeAdmitted();
                        if (vouched != null) {
                            mustBe(vouched, Secrets.hex(Secrets.sha256().digest(call.body())));
                        }
                        then.run();
                    });
                });
    }

    /** Discards the rest of the body, while the caller has a moment to read the response. */
    private static void notTaken(RequestContext call, BodyBudget.Account account, Problem problem, String why) {
        account.close();
        call.request().handler(part -> {}).endHandler(v -> {});
        call.refuse(new RefusedException(problem, why));
    }

    private static String holder(RequestContext call, String vouched) {
        if (vouched != null || call.caller() == null) {
            return NODES;
        }
        return call.caller().everyTenant() ? EVERYBODY : call.caller().tenant();
    }

    private static void ready(RequestContext call, boolean ready) {
        call.text(ready ? 200 : 503, "text/plain", ready ? "ok\n" : "not ready\n");
    }

    private void answer(RequestContext call) {
        switch (call.route()) {
            case HEALTH -> call.text(200, "text/plain", "ok\n");
            case READY -> ready(call, facts.ready() && facts.fresh() && !gateway.storeIsMissing());
            case METRICS -> controlHandlers.metrics(call);
            case OPENAPI -> controlHandlers.openApi(call);
            case STATUS -> controlHandlers.status(call);
            case DOCTOR -> controlHandlers.doctor(call);
            case GROUPS -> lists.groups(call);
            case GROUP -> controlHandlers.group(call);
            case HOSTS -> hosts.hosts(call);
            case HOST -> hosts.host(call);
            case MACHINES -> lists.machines(call);
            case MACHINE -> controlHandlers.machine(call);
            case MACHINE_DOCUMENTS -> overview.documents(call);
            case SETTINGS -> overview.settings(call);
            case FLEET_CELLS -> overview.cells(call);
            case MACHINE_ACTION, ACTION -> controlHandlers.act(call);
            case EVENTS -> lists.events(call);
            case SEARCH -> search.search(call);
            case EVENT -> controlHandlers.event(call);
            case EVENT_APPROVE -> controlHandlers.approve(call);
            case EVENT_CANCEL -> controlHandlers.cancel(call);
            case EVENT_POSTPONE -> controlHandlers.policies().postpone(call, controlHandlers.openEvent(call));
            case EVENT_POLICY -> controlHandlers.policies().explain(call, controlHandlers.openEvent(call));
            case POLICIES -> controlHandlers.policies().policies(call);
            case POLICY_SET -> controlHandlers.policies().set(call);
            case POLICY_CLOSED_TIMES -> controlHandlers.policies().closedTimes(call);
            case POLICY_REMOVE -> controlHandlers.policies().remove(call);
            case HISTORY -> answers.history(call);
            case REPORT_NOTICE -> answers.notice(call);
            case CLOCK -> controlHandlers.clock(call);
            case CLOCK_ADVANCE -> controlHandlers.advance(call);
            case CLOCK_SET -> controlHandlers.set(call);
            case CLOCK_REPAIR -> controlHandlers.repair(call);
            case AUDIT -> audit.list(call);
            case AUDIT_VERIFY -> audit.verify(call);
            case TENANTS -> tenants.tenants(call);
            case TENANT -> tenants.tenant(call);
            case TENANT_SET -> tenants.set(call);
            case TOKENS -> tokens.tokens(call);
            case TOKEN_ADD -> tokens.add(call);
            case TOKEN_REMOVE -> tokens.remove(call);
            case SESSION -> sessions.show(call);
            case SESSION_START -> sessions.start(call);
            case SESSION_END -> sessions.end(call);
            case SESSION_LINK -> sessions.link(call);
            case WEBHOOKS -> webhooks.list(call);
            case WEBHOOK_ADD -> webhooks.add(call);
            case WEBHOOK -> webhooks.show(call);
            case WEBHOOK_REMOVE -> webhooks.remove(call);
            case WEBHOOK_TEST -> webhooks.test(call);
            case WEBHOOK_DEAD_LETTERS -> webhooks.dead(call);
            case WEBHOOK_RESEND -> webhooks.resend(call);
            case MAIL_SUBSCRIPTIONS -> mails.list(call);
            case MAIL_SUBSCRIPTION_ADD -> mails.add(call);
            case MAIL_SUBSCRIPTION -> mails.show(call);
            case MAIL_SUBSCRIPTION_REMOVE -> mails.remove(call);
            case MAIL_SUBSCRIPTION_TEST -> mails.test(call);
            case MAIL_SUBSCRIPTION_DEAD_LETTERS -> mails.dead(call);
            case MAIL_SUBSCRIPTION_RESEND -> mails.resend(call);
            case STREAM -> streams.open(call);
            case CALENDAR -> calendars.calendar(call);
            case ROLLOUTS -> rollouts.rollouts(call);
            case ROLLOUT -> rollouts.rollout(call);
            case ROLLOUT_UNITS -> rollouts.units(call);
            case ROLLOUT_PLAN -> rollouts.plan(call);
            case ROLLOUT_START -> rollouts.start(call);
            case ROLLOUT_PAUSE -> rollouts.pause(call);
            case ROLLOUT_RESUME -> rollouts.resume(call);
            case ROLLOUT_ABORT -> rollouts.abort(call);
            case ROLLOUT_REMOVE -> rollouts.remove(call);
            case GROUP_PUT -> fleet.putGroup(call);
            case GROUP_REMOVE -> fleet.removeGroup(call);
            case MACHINE_PUT -> fleet.putMachine(call);
            case MACHINE_REMOVE -> fleet.removeMachine(call);
            case FLEET -> fleet.export(call);
            case FLEET_APPLY -> throw new IllegalStateException("Its body goes to disk; it was taken before.");
        }
    }
}
