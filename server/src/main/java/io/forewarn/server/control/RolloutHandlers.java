package io.forewarn.server.control;

import io.forewarn.core.Actor;
import io.forewarn.core.Problem;
import io.forewarn.core.RefusedException;
import io.forewarn.core.engine.CommandGateway;
import io.forewarn.core.event.Cause;
import io.forewarn.core.event.EventType;
import io.forewarn.core.fleet.GroupId;
import io.forewarn.core.rollout.ConcurrencyLimit;
import io.forewarn.core.rollout.ExcludedTarget;
import io.forewarn.core.rollout.Rollout;
import io.forewarn.core.rollout.RolloutPlan;
import io.forewarn.core.rollout.RolloutSpec;
import io.forewarn.core.rollout.RolloutTarget;
import io.forewarn.core.rules.Command;
import io.forewarn.wire.control.CommandResultBody;
import io.forewarn.wire.control.Durations;
import io.forewarn.wire.control.EnumNames;
import io.forewarn.wire.control.ExcludedTargetBody;
import io.forewarn.wire.control.PlanBody;
import io.forewarn.wire.control.PlanStepBody;
import io.forewarn.wire.control.PlannedUnitBody;
import io.forewarn.wire.control.PolicyText;
import io.forewarn.wire.control.RolloutRequest;
import io.forewarn.wire.control.TimeText;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Comparator;
import java.util.List;
import java.util.function.BiFunction;
import java.util.stream.Stream;

/** Handles requests for rollouts, which are platform maintenance. */
final class RolloutHandlers {
    private static final int MOST_UNITS = 1000;
    private static final int NAMED = 100;

    private final ControlParts parts;
    private final CommandGateway gateway;
    private final RolloutBodies bodies;

    RolloutHandlers(ControlParts parts) {
        this.parts = parts;
        this.gateway = parts.gateway();
        this.bodies = new RolloutBodies(parts);
    }

    void rollouts(RequestContext call) {
        long limit = call.limit(Long.MAX_VALUE);
        ControlHandlers.list(call, json -> gateway.view().rollouts().stream()
                .filter(r -> bodies.isVisible(call.caller(), r))
                .sorted(Comparator.comparing(Rollout::createdAt))
                .limit(limit)
                .forEach(r -> ControlHandlers.write(json, bodies.listed(call.caller(), r))));
    }

    void rollout(RequestContext call) {
        String name = call.part(0);
        call.working(() -> bodies.whole(call.caller(), name));
    }

    void units(RequestContext call) {
        String name = call.part(0);
        long limit = call.limit(MOST_UNITS);
        String state = call.query("state");
        if (state != null && !PlannedUnitBody.STATES.contains(state)) {
            throw new RefusedException(
                    Problem.BAD_INPUT,
                    "state (--state) must be " + EnumNames.either(PlannedUnitBody.STATES) + ", not '" + state + "'");
        }
        ControlHandlers.list(call, json -> bodies.units(call.caller(), name, state, call.query("after"), limit)
                .forEach(unit -> ControlHandlers.write(json, unit)));
    }

    void plan(RequestContext call) {
        RolloutRequest request = request(call);
        long limit = call.limit(MOST_UNITS);
        call.working(() -> {
            RolloutSpec spec = spec(call, request, request.name() == null ? unused() : request.name());
            Instant now = now();
            RolloutPlan plan = gateway.rules().plan(gateway.view(), spec, now);
            Duration recovery = gateway.rules().recovery(spec);
            List<ExcludedTarget> excluded = gateway.rules().excluded(gateway.view(), spec.target());
            return new PlanBody(
                    request.name(),
                    plan.units(),
                    plan.groups(),
                    plan.machines(),
                    BodyMapper.time(plan.ends()),
                    Durations.print(Duration.ofSeconds(
                            Duration.between(now, plan.ends()).toSeconds())),
                    plan.blocked(),
                    windows(spec),
                    excluded.size(),
                    excluded.isEmpty()
                            ? null
                            : excluded.stream()
                                    .limit(NAMED)
                                    .map(e -> new ExcludedTargetBody(e.name(), e.why()))
                                    .toList(),
                    unlessEmpty(plan.warnings()),
                    plan.late().isEmpty()
                            ? null
                            : plan.late().stream()
                                    .limit(NAMED)
                                    .map(step -> step(step, recovery))
                                    .toList(),
                    plan.steps().size(),
                    plan.steps().stream()
                            .limit(limit)
                            .map(step -> step(step, recovery))
                            .toList());
        });
    }

    private static PlanStepBody step(RolloutPlan.Step step, Duration recovery) {
        return new PlanStepBody(
                step.unit(),
                step.moves() ? true : null,
                BodyMapper.time(step.scheduled()),
                BodyMapper.time(step.starts()),
                BodyMapper.time(step.ends()),
                BodyMapper.time(step.ends().plus(recovery)),
                step.why().isEmpty() ? null : step.why(),
                step.groups().stream().map(GroupId::toString).toList(),
                step.machines(),
                step.shares().stream()
                        .flatMap(affected -> affected.machines().stream()
                                .map(m -> affected.group().tenant() + "/" + m.name()))
                        .limit(NAMED)
                        .toList());
    }

    /** A plan is not stored, so any unused name will do. */
    private String unused() {
        String name = "plan";
        for (int i = 1; gateway.view().rollout(name).isPresent(); i++) {
            name = "plan-" + i;
        }
        return name;
    }

    void start(RequestContext call) {
        RolloutRequest request = request(call);
        if (request.name() == null) {
            throw new RefusedException(Problem.BAD_INPUT, "the rollout has no name; use {\"name\":\"os-1\",…}");
        }
        // Computed on a worker, like its response, because a big rollout takes time.
        call.work(() -> gateway.roll(
                        spec(call, request, request.name()), call.caller().actor(), call.once()))
                .onFailure(call::refuse)
                .onSuccess(asked -> call.afterWorking(asked, done -> bodies.whole(call.caller(), request.name())));
    }

    void pause(RequestContext call) {
        String reason = ControlHandlers.reason(call);
        move(call, (name, actor) -> new Command.PauseRollout(name, reason, actor));
    }

    void resume(RequestContext call) {
        boolean retry = call.truth("retry", false);
        String notice = call.query("notice");
        String until = call.query("until");
        String late = call.query("late");
        if (notice != null && !retry) {
            throw new RefusedException(
                    Problem.BAD_INPUT, "notice (--notice) is for what is retried; give retry=true (--retry) too");
        }
        ZoneId zone = gateway.view()
                .rollout(call.part(0))
                .map(rollout -> rollout.spec().zone())
                .orElse(parts.zone());
        move(
                call,
                (name, actor) -> new Command.ResumeRollout(
                        name,
                        retry,
                        notice == null ? null : ControlHandlers.duration("notice", notice),
                        until == null ? null : TimeText.parse("until (--until)", until, zone, now()),
                        late == null ? null : late(late),
                        actor));
    }

    void abort(RequestContext call) {
        String reason = ControlHandlers.reason(call);
        move(call, (name, actor) -> new Command.AbortRollout(name, reason, actor));
    }

    void remove(RequestContext call) {
        Command command = new Command.RemoveRollout(call.part(0), call.caller().actor());
        call.after(gateway.submit(command, call.once()), done -> new CommandResultBody(List.of(), done.changes()));
    }

    private void move(RequestContext call, BiFunction<String, Actor, Command> command) {
        String name = call.part(0);
        call.afterWorking(
                gateway.submit(command.apply(name, call.caller().actor()), call.once()),
                done -> bodies.whole(call.caller(), name));
    }

    private static List<String> windows(RolloutSpec spec) {
        return unlessEmpty(spec.windows().stream().map(PolicyText::window).toList());
    }

    private static List<String> unlessEmpty(List<String> texts) {
        return texts.isEmpty() ? null : texts;
    }

    private static RolloutRequest request(RequestContext call) {
        return call.body(RolloutRequest.class, RolloutRequest.EMPTY);
    }

    private RolloutSpec spec(RequestContext call, RolloutRequest request, String name) {
        WorkerPools.mustNotBeEventLoop();
        Times times = new Times(request);
        RolloutSpec.Builder spec = new RolloutSpec.Builder(name, cause(request.type()), target(call, request));
        spec.notice = request.notice() == null ? null : ControlHandlers.duration("notice", request.notice());
        spec.recovery = request.recovery() == null ? null : ControlHandlers.duration("recovery", request.recovery());
        spec.atOnce = atOnce(request.atOnce());
        spec.windows = request.windows() == null
                ? List.of()
                : request.windows().stream()
                        .map(text -> PolicyText.window(text, parts.zone()))
                        .toList();
        spec.evacuate = Boolean.TRUE.equals(request.evacuate());
        spec.rehearsal = Boolean.TRUE.equals(request.rehearsal());
        spec.selfServiceUntil = request.selfServiceUntil() == null
                ? null
                : parts.time("selfServiceUntil (--self-service-until)", request.selfServiceUntil());
        spec.description = request.description();
        spec.interruption =
                request.duration() == null ? null : ControlHandlers.duration("duration", request.duration());
        spec.at = times.at;
        spec.until = times.until;
        spec.late = late(request.late());
        spec.zone = times.zone;
        return spec.build();
    }

    /** From when to when units start. The latest start is the first such time after the earliest, in the same zone. */
    private final class Times {
        final ZoneId zone;
        final Instant at;
        final Instant until;

        Times(RolloutRequest request) {
            zone = request.at() == null
                    ? parts.zone()
                    : TimeText.zone(request.at()).orElse(parts.zone());
            Instant now = now();
            at = request.at() == null ? null : TimeText.parse("at (--at)", request.at(), zone, now);
            Instant from = at == null || at.isBefore(now) ? now : at;
            until = request.until() == null
                    ? null
                    : TimeText.parse("until (--until)", request.until(), zone, isFromNow(request.until()) ? now : from);
        }
    }

    /** A time such as {@code in 4h} is counted from now, also as the latest start. */
    private static boolean isFromNow(String text) {
        return text.strip().startsWith("in ");
    }

    private static RolloutSpec.Late late(String word) {
        return word == null
                ? RolloutSpec.Late.REFUSE
                : EnumNames.parse(RolloutSpec.Late.class, word)
                        .orElseThrow(() -> new RefusedException(
                                Problem.BAD_INPUT,
                                "late (--late) must be refuse, next-window or any, not '" + word + "'"));
    }

    private static Cause cause(String word) {
        EventType type =
                word == null ? null : EnumNames.parse(EventType.class, word).orElse(null);
        if (type == EventType.FREEZE) {
            return Cause.HOST_FREEZE;
        } else if (type == EventType.REBOOT) {
            return Cause.HOST_REBOOT;
        } else if (type == EventType.REDEPLOY) {
            return Cause.HOST_REDEPLOY;
        }
        throw new RefusedException(
                Problem.BAD_INPUT,
                "the type of a rollout must be freeze, reboot or redeploy"
                        + (word == null ? "" : ", not '" + word + "'"));
    }

    private RolloutTarget target(RequestContext call, RolloutRequest request) {
        int given = (request.hosts() == null ? 0 : 1)
                + (request.groups() == null ? 0 : 1)
                + (request.tag() == null ? 0 : 1);
        if (given != 1) {
            throw new RefusedException(Problem.BAD_INPUT, "give exactly one of hosts, groups and tag");
        }
        checkNames("hosts", request.hosts());
        checkNames("groups", request.groups());
        List<String> exclude = filter("exclude", request.exclude());
        List<String> tenants = filter("tenants", request.tenants());
        List<String> exceptTenants = filter("exceptTenants", request.exceptTenants());
        if (request.hosts() != null) {
            return new RolloutTarget(RolloutTarget.Kind.HOSTS, request.hosts(), exclude, tenants, exceptTenants);
        }
        List<String> groups = groups(call, exclude, tenants);
        return request.tag() == null
                ? new RolloutTarget(
                        RolloutTarget.Kind.GROUPS,
                        groups(call, request.groups(), tenants),
                        groups,
                        tenants,
                        exceptTenants)
                : new RolloutTarget(RolloutTarget.Kind.TAG, List.of(request.tag()), groups, tenants, exceptTenants);
    }

    private static List<String> filter(String what, List<String> names) {
        checkNames(what, names);
        return names == null ? List.of() : names;
    }

    /** Groups as tenant/name: those without a tenant are of the tenants that the rollout is limited to. */
    private static List<String> groups(RequestContext call, List<String> typed, List<String> tenants) {
        List<String> usual = tenants.isEmpty() ? List.of(call.caller().tenant()) : tenants;
        return typed.stream()
                .flatMap(name -> name.indexOf('/') >= 0
                        ? Stream.of(name)
                        : usual.stream().map(tenant -> tenant + "/" + name))
                .toList();
    }

    private static void checkNames(String what, List<String> names) {
        if (names != null && (names.isEmpty() || names.stream().anyMatch(n -> n == null || n.isBlank()))) {
            throw new RefusedException(
                    Problem.BAD_INPUT,
                    what + (names.isEmpty() ? " is empty" : " has an empty name in it") + "; give a list of " + what);
        }
    }

    private static ConcurrencyLimit atOnce(String text) {
        if (text == null) {
            return ConcurrencyLimit.ALL;
        }
        if (text.equals("fault-domain")) {
            return new ConcurrencyLimit(ConcurrencyLimit.Kind.FAULT_DOMAIN, 0);
        }
        boolean percent = text.endsWith("%");
        try {
            int number = Integer.parseInt(percent ? text.substring(0, text.length() - 1) : text);
            return new ConcurrencyLimit(percent ? ConcurrencyLimit.Kind.PERCENT : ConcurrencyLimit.Kind.COUNT, number);
        } catch (NumberFormatException none) {
            throw new RefusedException(
                    Problem.BAD_INPUT,
                    "atOnce (--at-once) must be a number such as 10, a percentage such as 10%, or fault-domain, not '"
                            + text + "'");
        }
    }

    private Instant now() {
        return parts.clock().now().wall();
    }
}
