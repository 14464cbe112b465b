package io.forewarn.server.control;

import io.forewarn.core.Problem;
import io.forewarn.core.RefusedException;
import io.forewarn.wire.control.Durations;
import io.forewarn.wire.control.EnumNames;
import io.forewarn.wire.control.SessionBody;
import io.forewarn.wire.control.SignInLinkBody;
import java.time.Instant;

/** Handles requests for the sessions of browsers. */
final class SessionHandlers {
    private final SessionCookies cookies;
    private final SignInLinks links;

    SessionHandlers(SessionCookies cookies, SignInLinks links) {
        this.cookies = cookies;
        this.links = links;
    }

    void show(RequestContext call) {
        call.json(body(call.caller(), call.caller().sessionEnd()));
    }

    void start(RequestContext call) {
        call.json(
                body(call.caller(), cookies.write(call.request(), call.caller().token())));
    }

    void end(RequestContext call) {
        cookies.clear(call.request());
        call.json(body(call.caller(), null));
    }

    /** A session cannot create another one and so outlast itself. */
    void link(RequestContext call) {
        if (call.caller().sessionEnd() != null) {
            throw new RefusedException(
                    Problem.FORBIDDEN, "a session cannot create a sign-in link; 'forewarn console' uses a token");
        }
        call.json(new SignInLinkBody(links.create(call.caller()), Durations.print(SignInLinks.LIFETIME)));
    }

    private static SessionBody body(Caller caller, Instant until) {
        return new SessionBody(
                caller.name(),
                EnumNames.of(caller.token().role()),
                caller.token().tenant(),
                BodyMapper.time(until));
    }
}
