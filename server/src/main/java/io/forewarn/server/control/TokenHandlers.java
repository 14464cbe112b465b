package io.forewarn.server.control;

import io.forewarn.core.NameRules;
import io.forewarn.core.Problem;
import io.forewarn.core.RefusedException;
import io.forewarn.core.access.ApiToken;
import io.forewarn.core.access.Role;
import io.forewarn.core.engine.Engine.Once;
import io.forewarn.core.engine.PublishedState;
import io.forewarn.core.fleet.GroupId;
import io.forewarn.core.rules.Command;
import io.forewarn.wire.control.CommandResultBody;
import io.forewarn.wire.control.EnumNames;
import io.forewarn.wire.control.TokenRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;

/** Handles requests for tokens. An owner manages those of its own tenant; only operators manage operators' tokens. */
final class TokenHandlers {
    /** A new token with its secret. */
    private record Made(ApiToken token, String secret) {}

    private final ControlParts parts;
    private final RequestMemory memory;

    TokenHandlers(ControlParts parts, RequestMemory memory) {
        this.parts = parts;
        this.memory = memory;
    }

    void tokens(RequestContext call) {
        ControlHandlers.list(call, json -> parts.gateway().view().tokens().stream()
                .filter(t -> call.caller().maySee(t.tenant()))
                .sorted(Comparator.comparing(ApiToken::givenName).thenComparing(ApiToken::tenant))
                .forEach(t -> ControlHandlers.write(json, BodyMapper.token(t, null))));
    }

    void add(RequestContext call) {
        TokenRequest request = call.body(TokenRequest.class, new TokenRequest(null, null, null, null, null, null));
        mustBeName("name", request.name());
        if (TokenAuthenticator.RESERVED.contains(request.name())) {
            throw new RefusedException(
                    Problem.CONFLICT,
                    "the name '" + request.name() + "' is reserved for the server itself; choose another");
        }
        Caller caller = call.caller();
        GroupId group = group(request, caller);
        String tenant = group == null ? tenant(request, caller) : group.tenant();
        Role role = role(request, tenant, caller);
        if (request.rollout() != null) {
            mustBeName("rollout", request.rollout());
        }
        Instant now = parts.clock().now().wall();
        Instant expires = expires(request, now, caller);
        Once once = call.once();
        // A repeated request gets the same secret, as long as this process knows it.
        Made made = memory.keep(once, Made.class, () -> {
            String secret = Secrets.fresh();
            ApiToken token = new ApiToken(
                    request.name(),
                    tenant,
                    role,
                    Secrets.digest(secret),
                    now,
                    expires,
                    group == null ? null : group.name(),
                    request.rollout());
            return new Made(token, secret);
        });
        call.after(
                parts.gateway()
                        .submit(new Command.AddToken(made.token, caller.actor()), once)
                        .whenComplete((result, failure) -> {
                            if (nothingDone(failure) || result != null && result.repeated() && !isThere(made)) {
                                memory.forget(once, made);
                            }
                        }),
                result -> {
                    if (result.repeated() && !isThere(made)) {
                        throw new RefusedException(
                                Problem.CONFLICT,
                                "token '" + request.name()
                                        + "' was created by the first request with this key, and its secret"
                                        + " is not stored; remove the token ('forewarn token remove " + request.name()
                                        + "') and create it again");
                    }
                    return BodyMapper.token(made.token, made.secret);
                });
    }

    /** Keeps the secret if the token may have been created: the request may be repeated. */
    static boolean nothingDone(Throwable failure) {
        return failure != null
                && !(RefusedException.causeOf(failure) instanceof RefusedException refusal
                        && refusal.problem() == Problem.OUTCOME_UNKNOWN);
    }

    private boolean isThere(Made made) {
        PublishedState published = parts.gateway().view();
        return published
                .token(made.token.qualified().name())
                .or(() -> published.token(made.token.name()))
                .filter(there -> there.sha256().equals(made.token.sha256()))
                .isPresent();
    }

    private static String tenant(TokenRequest request, Caller caller) {
        String tenant =
                Objects.requireNonNullElse(request.tenant(), caller.token().tenant());
        if (!tenant.equals(ApiToken.EVERY_TENANT)) {
            mustBeName("tenant", tenant);
        }
        caller.mustOpen(tenant);
        return tenant;
    }

    private GroupId group(TokenRequest request, Caller caller) {
        if (request.group() == null) {
            return null;
        }
        GroupId group = new NameLookup(parts.gateway().view(), caller, request.tenant())
                .group(request.group())
                .id();
        if (request.tenant() != null && !request.tenant().equals(group.tenant())) {
            throw new RefusedException(
                    Problem.BAD_INPUT, "group " + group + " is not of tenant " + request.tenant() + "; leave one out");
        }
        return group;
    }

    private static Role role(TokenRequest request, String tenant, Caller caller) {
        if (request.role() == null) {
            return Role.implied(tenant);
        }
        Role role = EnumNames.parse(Role.class, request.role())
                .orElseThrow(() -> new RefusedException(
                        Problem.BAD_INPUT,
                        "role must be operator, owner, viewer or calendar, not '" + request.role() + "'"));
        if (role == Role.OPERATOR) {
            caller.mustOperate("creating an operator token");
        }
        return role;
    }

    /** A token cannot create one that lasts longer. */
    private static Instant expires(TokenRequest request, Instant now, Caller caller) {
        Instant latest = caller.token().expiresAt();
        if (request.expiresIn() == null) {
            return latest;
        }
        Duration life = ControlHandlers.duration("expiresIn", request.expiresIn());
        if (life.isZero() || life.isNegative()) {
            throw new RefusedException(Problem.BAD_INPUT, "expires must be a positive duration, such as 90d");
        }
        Instant expires = now.plus(life);
        if (latest != null && expires.isAfter(latest)) {
            throw new RefusedException(
                    Problem.BAD_INPUT,
                    "token '" + caller.name() + "' expires at " + latest
                            + " and cannot create one that lasts longer; leave 'expires' out for the same time");
        }
        return expires;
    }

    void remove(RequestContext call) {
        Caller caller = call.caller();
        Command command = new Command.RemoveToken(
                call.part(0), caller.everyTenant() ? null : caller.token().tenant(), caller.actor());
        call.after(
                parts.gateway().submit(command, call.once()),
                result -> new CommandResultBody(List.of(), result.changes()));
    }

    private static void mustBeName(String what, String name) {
        if (name == null || !NameRules.valid(name)) {
            throw new RefusedException(Problem.BAD_INPUT, what + " must be " + NameRules.RULE);
        }
    }
}
