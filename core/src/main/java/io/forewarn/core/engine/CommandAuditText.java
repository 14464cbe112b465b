package io.forewarn.core.engine;

import io.forewarn.core.access.ApiToken;
import io.forewarn.core.fleet.FleetChange.GroupChange;
import io.forewarn.core.notification.Channel;
import io.forewarn.core.notification.Subscription;
import io.forewarn.core.notification.SubscriptionId;
import io.forewarn.core.rollout.RolloutTarget;
import io.forewarn.core.rules.Command;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Describes commands in the short form used in the audit log. */
final class CommandAuditText {
    private static final int NAMED = 8;

    private CommandAuditText() {}

    static String of(Command command) {
        if (command instanceof Command.Approve approve) {
            return "approve " + list(approve.events()) + because(approve.reason());
        } else if (command instanceof Command.Schedule schedule) {
            return (schedule.rehearsal() ? "rehearse " : "") + words(schedule.cause()) + " "
                    + list(schedule.machines());
        } else if (command instanceof Command.Ready ready) {
            return "ready for " + list(ready.events());
        } else if (command instanceof Command.Postpone postpone) {
            return "postpone " + postpone.event()
                    + (postpone.until() == null ? " by " + postpone.by() : " until " + postpone.until())
                    + because(postpone.reason());
        } else if (command instanceof Command.Recovered recovered) {
            return "recovered " + recovered.machine();
        } else if (command instanceof Command.Cancel cancel) {
            return "cancel " + cancel.event() + because(cancel.reason());
        } else if (command instanceof Command.Enable enable) {
            return "enable group " + enable.group();
        } else if (command instanceof Command.SetPolicy set) {
            return "set policy of " + set.policy().scope().words() + ": " + PolicyAuditText.of(set.policy());
        } else if (command instanceof Command.RemovePolicy remove) {
            return "remove policy of " + remove.scope().words();
        } else if (command instanceof Command.SetTenant set) {
            return "set tenant " + set.tenant() + ": " + TenantAuditText.of(set);
        } else if (command instanceof Command.AddToken add) {
            return "add token " + token(add.token());
        } else if (command instanceof Command.RemoveToken remove) {
            return "remove token " + remove.name();
        } else if (command instanceof Command.ChangeFleet change) {
            return changeOfFleet(change);
        } else if (command instanceof Command.MoveClock move) {
            return "move clock to " + move.to();
        } else if (command instanceof Command.RepairClock repair) {
            return "repair clock to " + repair.to();
        } else if (command instanceof Command.StartRollout start) {
            return "start rollout " + start.spec().name() + ": "
                    + words(start.spec().cause()) + " "
                    + target(start.spec().target());
        } else if (command instanceof Command.PauseRollout pause) {
            return "pause rollout " + pause.rollout() + because(pause.reason());
        } else if (command instanceof Command.ResumeRollout resume) {
            return "resume rollout " + resume.rollout();
        } else if (command instanceof Command.AbortRollout abort) {
            return "abort rollout " + abort.rollout() + because(abort.reason());
        } else if (command instanceof Command.RemoveRollout remove) {
            return "remove rollout " + remove.rollout();
        } else if (command instanceof Command.AddRecipient add) {
            return "add " + recipient(add.recipient().id()) + " to " + target(add.recipient());
        } else if (command instanceof Command.RemoveRecipient remove) {
            return "remove " + recipient(remove.id());
        } else if (command instanceof Command.Resend resend) {
            return "resend " + resend.letters().size() + " letters to " + recipient(resend.id());
        } else if (command instanceof Command.TryRecipient trial) {
            return "test " + recipient(trial.id());
        } else if (command instanceof Command.NoteLoss loss) {
            return "go on without " + loss.lost() + ": " + loss.why();
        } else if (command instanceof Command.Denied denied) {
            return denied.asked();
        }
        return words(command.getClass().getSimpleName().replaceAll("(?<=[a-z])(?=[A-Z])", " "));
    }

    private static String because(String reason) {
        return reason.isBlank() ? "" : ", reason: " + reason;
    }

    private static String recipient(SubscriptionId id) {
        return words(id.channel()) + " " + id.name() + " of "
                + (id.everyTenant() ? "all tenants" : "tenant " + id.tenant());
    }

    /** Where it goes, without what may let others send there: a user, a password, a query. */
    private static String target(Subscription subscription) {
        return subscription.id().channel() == Channel.MAIL
                ? list(subscription.to())
                : subscription.url().replaceFirst("[?#].*", "").replaceFirst("//[^/]*@", "//");
    }

    private static String target(RolloutTarget target) {
        return list(target.names())
                + filter("without", target.exclude())
                + filter("only tenants", target.tenants())
                + filter("except tenants", target.exceptTenants());
    }

    private static String filter(String word, List<String> names) {
        return names.isEmpty() ? "" : ", " + word + " " + list(names);
    }

    private static String token(ApiToken token) {
        return token.name() + ", " + words(token.role()) + " of " + (token.everyTenant() ? "all" : token.tenant())
                + (token.group() == null ? "" : ", group " + token.group())
                + (token.rollout() == null ? "" : ", rollout " + token.rollout())
                + (token.expiresAt() == null ? "" : " until " + token.expiresAt());
    }

    private static String changeOfFleet(Command.ChangeFleet command) {
        List<GroupChange> groups = command.change().groups();
        String some = groups.stream().limit(NAMED).map(g -> g.id().toString()).collect(Collectors.joining(", "));
        return "change fleet: " + command.change().touched() + " groups and machines in " + some
                + (groups.size() <= NAMED ? "" : " and " + (groups.size() - NAMED) + " more");
    }

    private static String words(Object constant) {
        return constant.toString().toLowerCase(Locale.ROOT).replace('_', ' ');
    }

    private static String list(Collection<?> names) {
        if (names.size() == 1) {
            return names.iterator().next().toString();
        }
        String some = names.stream().limit(NAMED).map(Object::toString).collect(Collectors.joining(", "));
        return names.size() <= NAMED ? some : some + " and " + (names.size() - NAMED) + " more";
    }
}
