package io.forewarn.server.control;

import io.forewarn.core.Problem;
import io.forewarn.core.RefusedException;
import io.forewarn.core.engine.CommandGateway;
import io.forewarn.core.engine.PublishedState;
import io.forewarn.core.event.Event;
import io.forewarn.core.event.EventId;
import io.forewarn.core.event.EventType;
import io.forewarn.core.fleet.GroupId;
import io.forewarn.core.policy.ClosedTimes;
import io.forewarn.core.policy.EffectivePolicy;
import io.forewarn.core.policy.Policy;
import io.forewarn.core.policy.Scope;
import io.forewarn.core.policy.WindowSearch;
import io.forewarn.core.rules.Command;
import io.forewarn.core.rules.CommandResult;
import io.forewarn.core.rules.NotFound;
import io.forewarn.wire.control.ClosedTimesBody;
import io.forewarn.wire.control.CommandResultBody;
import io.forewarn.wire.control.Durations;
import io.forewarn.wire.control.EnumNames;
import io.forewarn.wire.control.EventExplainer;
import io.forewarn.wire.control.ExplanationBody;
import io.forewarn.wire.control.PolicyBody;
import io.forewarn.wire.control.PostponeRequest;
import io.forewarn.wire.control.ReasonRequest;
import io.forewarn.wire.control.SourcedValueBody;
import io.forewarn.wire.control.StartBlockerBody;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;

/** Handles requests for policies and postponements. */
final class PolicyHandlers {
    private static final Duration USUAL_SPAN = Duration.ofDays(7);
    private static final Duration LONGEST_SPAN = Duration.ofDays(400);

    private final ControlParts parts;
    private final CommandGateway gateway;

    PolicyHandlers(ControlParts parts) {
        this.parts = parts;
        this.gateway = parts.gateway();
    }

    void policies(RequestContext call) {
        String tenant = ControlHandlers.tenant(call);
        long limit = call.limit(Long.MAX_VALUE);
        ControlHandlers.list(call, json -> gateway.view().policies().stream()
                .filter(p -> call.caller().maySee(p.scope().tenant()))
                .filter(p -> tenant == null || tenant.equals(p.scope().tenant()))
                .sorted(Comparator.comparing(p -> p.scope().toString()))
                .limit(limit)
                .forEach(p -> ControlHandlers.write(json, PolicyBody.of(p))));
    }

    void closedTimes(RequestContext call) {
        String tenant = ControlHandlers.tenant(call);
        Instant from = call.query("from") == null ? parts.clock().now().wall() : parts.time("from", call.query("from"));
        Instant until = call.query("until") == null ? from.plus(USUAL_SPAN) : parts.time("until", call.query("until"));
        if (!until.isAfter(from) || Duration.between(from, until).compareTo(LONGEST_SPAN) > 0) {
            throw new RefusedException(
                    Problem.BAD_INPUT,
                    "until must be after from, " + BodyMapper.time(from) + ", by " + LONGEST_SPAN.toDays()
                            + " days at most, not " + BodyMapper.time(until));
        }
        ClosedTimes times = new ClosedTimes(from, until);
        ControlHandlers.list(call, json -> gateway.view().policies().stream()
                .filter(p -> p.windows() != null || p.blackouts() != null)
                .filter(p -> call.caller().maySee(p.scope().tenant()))
                .filter(p -> tenant == null || tenant.equals(p.scope().tenant()))
                .sorted(Comparator.comparing(p -> p.scope().toString()))
                .forEach(p -> ControlHandlers.write(json, closed(p, times))));
    }

    private static ClosedTimesBody closed(Policy policy, ClosedTimes times) {
        Scope scope = policy.scope();
        return new ClosedTimesBody(
                scope.tenant(),
                scope.group(),
                scope.type() == null ? null : EnumNames.of(scope.type()),
                policy.windows() == null ? null : spans(times.between(policy.windows())),
                policy.blackouts() == null ? null : spans(times.of(policy.blackouts())));
    }

    private static List<ClosedTimesBody.TimeSpan> spans(List<ClosedTimes.Span> spans) {
        return spans.stream()
                .map(span -> new ClosedTimesBody.TimeSpan(BodyMapper.time(span.from()), BodyMapper.time(span.until())))
                .toList();
    }

    void set(RequestContext call) {
        PolicyBody body = call.body(
                PolicyBody.class,
                new PolicyBody(
                        null, null, null, null, null, null, null, null, null, null, null, null, null, null, null));
        if (body.userOperations() != null) {
            // Owners cannot change a limit that applies to them.
            call.caller().mustOperate("userOperations");
        }
        Policy policy = body.policy(scope(call, body.tenant(), body.group(), body.type()), parts.zone());
        Command command = new Command.SetPolicy(policy, call.caller().actor());
        call.afterWorking(gateway.submit(command, call.once()), done -> set(policy.scope()));
    }

    /** The current policy, with a warning. */
    private PolicyBody set(Scope scope) {
        return PolicyBody.of(gateway.view().policy(scope).orElse(Policy.of(scope)), warning(scope));
    }

    /** That windows and blackouts of an owner keep the platform waiting for longer than they may; null if they do not. */
    private String warning(Scope scope) {
        Duration most = gateway.rules().longestHold();
        Instant now = parts.clock().now().wall();
        // No group is called *: what holds for it holds for a group without a policy of its own.
        GroupId group = new GroupId(scope.tenant(), scope.group() == null ? "*" : scope.group());
        EffectivePolicy policy =
                gateway.rules().policy(gateway.view(), group, scope.type() == null ? EventType.REBOOT : scope.type());
        if (!policy.windows().owners() && !policy.blackouts().owners()) {
            return null;
        }
        return WindowSearch.closedLonger(now, policy.calendar(), most)
                .map(from -> "platform work would wait for more than " + Durations.print(most) + ", from "
                        + BodyMapper.time(from) + " on; it goes on that long after it was asked for, with its notice,"
                        + " whatever an owner's windows and blackouts say (tenants.max-hold)")
                .orElse(null);
    }

    void remove(RequestContext call) {
        Scope scope = scope(call, call.query("tenant"), call.query("group"), call.query("type"));
        if (gateway.view().policy(scope).map(Policy::userOperations).isPresent()) {
            call.caller().mustOperate("removing userOperations");
        }
        Command command = new Command.RemovePolicy(scope, call.caller().actor());
        call.after(gateway.submit(command, call.once()), PolicyHandlers::outcome);
    }

    private static CommandResultBody outcome(CommandResult result) {
        return new CommandResultBody(List.of(), result.changes());
    }

    private Scope scope(RequestContext call, String tenant, String group, String type) {
        NameLookup lookup = new NameLookup(gateway.view(), call.caller(), tenant);
        GroupId id = lookup.groupId(group == null ? "all" : group);
        return new Scope(id.tenant(), group == null ? null : id.name(), type == null ? null : PolicyBody.type(type));
    }

    void postpone(RequestContext call, EventId id) {
        PostponeRequest request = call.body(PostponeRequest.class, PostponeRequest.EMPTY);
        request.checkTime();
        Command command = new Command.Postpone(
                null,
                id,
                request.until() == null ? null : parts.time("until", request.until()),
                request.by() == null ? null : ControlHandlers.duration("by", request.by()),
                ReasonRequest.given(request.reason()),
                call.caller().actor());
        call.after(gateway.submit(command, call.once()), result -> BodyMapper.outcome(gateway.view(), result));
    }

    void explain(RequestContext call, EventId id) {
        PublishedState published = gateway.view();
        GroupId group = published.groupOf(id).orElseThrow(() -> NotFound.event(id));
        Event event = published.state(group).event(id).orElseThrow(() -> NotFound.event(id));
        call.json(new ExplanationBody(
                id.toString(),
                group.tenant(),
                group.name(),
                EnumNames.of(event.type()),
                EnumNames.of(event.phase()),
                event.noticePeriod() == null
                        ? null
                        : BodyMapper.time(event.noticePeriod().notBefore()),
                blockers(call.caller(), group, event),
                values(group, event)));
    }

    /** Reasons that name another tenant are for those who may know it. */
    List<StartBlockerBody> blockers(Caller caller, GroupId group, Event event) {
        Instant now = parts.clock().now().wall();
        return EventExplainer.blockers(gateway.rules().blockers(gateway.view(), group, event, now).stream()
                .map(blocker -> blocker.toldTo(other -> caller.maySee(other.tenant())))
                .toList());
    }

    List<SourcedValueBody> values(GroupId group, Event event) {
        return EventExplainer.values(event, gateway.rules().policy(gateway.view(), group, event.type()));
    }
}
