package io.forewarn.server.forward;

import io.forewarn.core.Actor;
import io.forewarn.core.Problem;
import io.forewarn.core.audit.AuditEntry;
import io.forewarn.core.event.EventId;
import io.forewarn.core.fleet.GroupId;
import io.forewarn.core.fleet.MachineId;
import io.forewarn.core.rules.Command;
import io.forewarn.core.rules.StateReader;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A machine's command as a follower forwards it to the writer. Which fields are set depends on {@code what}.
 *
 * @param what which command
 * @param until when it is postponed to, or null
 * @param by for how long it is postponed, or null
 * @param at when the document was seen
 * @param asked what was refused; {@code problem} and {@code reason} say why
 * @param reason also the reason given for a postponement
 * @param actor kind, name and address
 */
public record ForwardedCommand(
        String what,
        String tenant,
        String group,
        String machine,
        List<String> events,
        String until,
        String by,
        String at,
        String asked,
        String problem,
        String reason,
        List<String> actor) {

    /** The names of all fields, and the punctuation between them. */
    private static final int NAMES_AND_PUNCTUATION = 160;

    private static final int QUOTES = 3;
    private static final int LONGEST_ESCAPE = 6;

    /** Empty for commands of people: their requests are forwarded as they came in. */
    public static Optional<ForwardedCommand> of(Command command) {
        if (command instanceof Command.Approve approve && approve.group() != null) {
            return Optional.of(common("approve", approve.group(), null, approve.events(), approve.actor()));
        }
        if (command instanceof Command.Ready ready) {
            return Optional.of(common("ready", ready.group(), ready.machine(), ready.events(), ready.actor()));
        }
        if (command instanceof Command.Recovered recovered) {
            return Optional.of(
                    common("recovered", recovered.group(), recovered.machine(), List.of(), recovered.actor()));
        }
        if (command instanceof Command.Enable enable) {
            return Optional.of(common("enable", enable.group(), null, List.of(), enable.actor()));
        }
        if (command instanceof Command.Sight sight) {
            return Optional.of(new ForwardedCommand(
                    "sight",
                    sight.group().tenant(),
                    sight.group().name(),
                    sight.machine(),
                    sight.shown().stream().map(EventId::toString).toList(),
                    null,
                    null,
                    sight.at().toString(),
                    null,
                    null,
                    null,
                    encode(sight.actor())));
        }
        if (command instanceof Command.Postpone postpone && postpone.group() != null) {
            return Optional.of(new ForwardedCommand(
                    "postpone",
                    postpone.group().tenant(),
                    postpone.group().name(),
                    null,
                    List.of(postpone.event().toString()),
                    postpone.until() == null ? null : postpone.until().toString(),
                    postpone.by() == null ? null : postpone.by().toString(),
                    null,
                    null,
                    null,
                    postpone.reason().isEmpty() ? null : postpone.reason(),
                    encode(postpone.actor())));
        }
        return command instanceof Command.Denied denied
                ? Optional.of(new ForwardedCommand(
                        "denied",
                        null,
                        null,
                        null,
                        null,
                        null,
                        null,
                        null,
                        AuditEntry.cut(denied.asked()),
                        denied.problem().name(),
                        AuditEntry.cut(denied.reason()),
                        encode(denied.actor())))
                : Optional.empty();
    }

    private static ForwardedCommand common(
            String what, GroupId group, String machine, List<EventId> events, Actor actor) {
        return new ForwardedCommand(
                what,
                group.tenant(),
                group.name(),
                machine,
                events.stream().map(EventId::toString).toList(),
                null,
                null,
                null,
                null,
                null,
                null,
                encode(actor));
    }

    private static List<String> encode(Actor actor) {
        return List.of(actor.kind().name(), actor.name(), actor.from());
    }

    Command command() {
        return switch (what) {
            case "approve" -> new Command.Approve(groupId(), ids(), decodeActor());
            case "ready" -> new Command.Ready(groupId(), machine, ids(), decodeActor());
            case "recovered" -> new Command.Recovered(groupId(), machine, decodeActor());
            case "enable" -> new Command.Enable(groupId(), decodeActor());
            case "sight" -> new Command.Sight(groupId(), machine, Set.copyOf(ids()), Instant.parse(at), decodeActor());
            case "postpone" ->
                new Command.Postpone(
                        groupId(),
                        ids().get(0),
                        until == null ? null : Instant.parse(until),
                        by == null ? null : Duration.parse(by),
                        reason == null ? "" : reason,
                        decodeActor());
            case "denied" -> new Command.Denied(asked, Problem.valueOf(problem), reason, decodeActor());
            default -> throw new IllegalArgumentException("unknown command " + what + ", sent by a newer node");
        };
    }

    /** Whether its actor is a machine of its group, and the command is about no other machine. */
    boolean fitsWithin(StateReader state) {
        Actor sender = decodeActor();
        String tenantsOwn = tenant + "/";
        if (sender.kind() != Actor.Kind.MACHINE || !sender.name().startsWith(tenantsOwn)) {
            return false;
        }
        String name = sender.name().substring(tenantsOwn.length());
        return (machine == null || machine.equals(name))
                && state.machine(new MachineId(tenant, name))
                        .filter(known -> known.group().equals(groupId()))
                        .isPresent();
    }

    /**
     * Whether it may be sent again when the outcome is unknown. Approving an event that is approved or started changes nothing
     * (contract §3), nor does a second ready or enable. A second postponement would postpone the event further, and each
     * recovery is recorded in the history.
     */
    boolean isIdempotent() {
        return Set.of("approve", "ready", "enable").contains(what);
    }

    /** An upper bound of the bytes it takes in a message. */
    int size() {
        int bytes = NAMES_AND_PUNCTUATION;
        for (String text : new String[] {what, tenant, group, machine, until, by, at, asked, problem, reason}) {
            bytes += size(text);
        }
        for (List<String> texts : Arrays.asList(events, actor)) {
            for (String text : texts == null ? List.<String>of() : texts) {
                bytes += size(text);
            }
        }
        return bytes;
    }

    private static int size(String text) {
        int bytes = QUOTES;
        for (int i = 0; text != null && i < text.length(); i++) {
            char c = text.charAt(i);
            bytes += c >= ' ' && c < 0x7f && c != '"' && c != '\\' ? 1 : LONGEST_ESCAPE;
        }
        return bytes;
    }

    private GroupId groupId() {
        return new GroupId(tenant, group);
    }

    private List<EventId> ids() {
        return events.stream().map(id -> EventId.parse(id).orElseThrow()).collect(Collectors.toList());
    }

    private Actor decodeActor() {
        return new Actor(Actor.Kind.valueOf(actor.get(0)), actor.get(1), actor.get(2));
    }
}
