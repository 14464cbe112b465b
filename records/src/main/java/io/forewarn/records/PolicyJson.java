package io.forewarn.records;

import io.forewarn.core.RefusedException;
import io.forewarn.core.event.EventType;
import io.forewarn.core.policy.ApprovalQuorum;
import io.forewarn.core.policy.Blackout;
import io.forewarn.core.policy.HoldingValue;
import io.forewarn.core.policy.MaintenanceWindow;
import io.forewarn.core.policy.Policy;
import io.forewarn.core.policy.PostponementLimit;
import io.forewarn.core.policy.Scope;
import io.forewarn.core.rules.StoredPolicy;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Reads and writes policies. A false flag is written; an absent one is not. */
final class PolicyJson {
    private PolicyJson() {}

    static void write(JsonWriter out, StoredPolicy stored) throws IOException {
        Policy policy = stored.policy();
        out.text("tenant", policy.scope().tenant());
        out.maybe("group", policy.scope().group());
        out.maybeConstant("type", policy.scope().type());
        out.maybe("notice", policy.notice());
        out.maybeFlag("autoApprove", policy.autoApprove());
        out.maybeFlag("whenAllDown", policy.whenAllDown());
        if (policy.approval() != null) {
            out.open("approval");
            out.constant("kind", policy.approval().kind());
            out.number("least", policy.approval().least());
            out.close();
        }
        if (policy.windows() != null) {
            MaintenanceWindowJson.write(out, policy.windows());
        }
        if (policy.blackouts() != null) {
            out.openList("blackouts");
            for (Blackout blackout : policy.blackouts()) {
                out.open();
                out.text("first", blackout.first());
                out.text("last", blackout.last());
                if (!blackout.isOfDays()) {
                    // A release that does not know these keeps the whole days free.
                    out.text("begin", blackout.begin());
                    out.text("end", blackout.end());
                }
                out.text("zone", blackout.zone());
                out.close();
            }
            out.closeList();
        }
        write(out, "ownerPostpones", policy.ownerPostpones());
        write(out, "guestPostpones", policy.guestPostpones());
        out.maybeFlag("seenByAll", policy.seenByAll());
        if (policy.userOperations() != null) {
            out.number("userOperations", policy.userOperations());
        }
        out.maybe("shownAhead", policy.shownAhead());
        if (!policy.ownersHolds().isEmpty()) {
            out.texts("ownersHolds", new TreeSet<>(policy.ownersHolds()));
        }
    }

    private static void write(JsonWriter out, String name, PostponementLimit limit) throws IOException {
        if (limit != null) {
            out.open(name);
            out.number("times", limit.times());
            out.duration("total", limit.total());
            out.close();
        }
    }

    static StoredPolicy read(JsonReader in) throws IOException {
        try {
            return new StoredPolicy(policy(in));
        } catch (DateTimeException | RefusedException impossible) {
            throw new DamagedRecordException(impossible.getMessage());
        }
    }

    private static Policy policy(JsonReader in) throws IOException {
        String tenant = null;
        String group = null;
        EventType type = null;
        Duration notice = null;
        Boolean autoApprove = null;
        Boolean whenAllDown = null;
        ApprovalQuorum approval = null;
        List<MaintenanceWindow> windows = null;
        List<Blackout> blackouts = null;
        PostponementLimit owner = null;
        PostponementLimit guest = null;
        Boolean seenByAll = null;
        Integer userOperations = null;
        Duration shownAhead = null;
        Set<HoldingValue> ownersHolds = EnumSet.noneOf(HoldingValue.class);
        for (String name = in.member(); name != null; name = in.member()) {
            switch (name) {
                case "tenant" -> tenant = in.sharedText();
                case "group" -> group = in.sharedText();
                case "type" -> type = in.constant(EventType.class);
                case "notice" -> notice = in.duration();
                case "autoApprove" -> autoApprove = in.flag();
                case "whenAllDown" -> whenAllDown = in.flag();
                case "approval" -> approval = voting(in);
                case "windows" -> windows = in.list(MaintenanceWindowJson::read);
                case "blackouts" -> blackouts = in.list(PolicyJson::blackout);
                case "ownerPostpones" -> owner = allowance(in);
                case "guestPostpones" -> guest = allowance(in);
                case "seenByAll" -> seenByAll = in.flag();
                case "userOperations" -> userOperations = in.number();
                case "shownAhead" -> shownAhead = in.duration();
                case "ownersHolds" -> ownersHolds.addAll(in.list(value -> value.constant(HoldingValue.class)));
                default -> in.skip();
            }
        }
        return new Policy(
                new Scope(DamagedRecordException.unlessNull(tenant, "tenant"), group, type),
                notice,
                autoApprove,
                whenAllDown,
                approval,
                windows,
                blackouts,
                owner,
                guest,
                seenByAll,
                userOperations,
                shownAhead,
                ownersHolds);
    }

    private static ApprovalQuorum voting(JsonReader in) throws IOException {
        ApprovalQuorum.Kind kind = null;
        Integer least = null;
        in.open();
        for (String name = in.member(); name != null; name = in.member()) {
            switch (name) {
                case "kind" -> kind = in.constant(ApprovalQuorum.Kind.class);
                case "least" -> least = in.number();
                default -> in.skip();
            }
        }
        return new ApprovalQuorum(
                DamagedRecordException.unlessNull(kind, "kind"), DamagedRecordException.unlessNull(least, "least"));
    }

    private static Blackout blackout(JsonReader in) throws IOException {
        LocalDate first = null;
        LocalDate last = null;
        LocalDateTime begin = null;
        LocalDateTime end = null;
        ZoneId zone = null;
        in.open();
        for (String name = in.member(); name != null; name = in.member()) {
            switch (name) {
                case "first" -> first = LocalDate.parse(in.text());
                case "last" -> last = LocalDate.parse(in.text());
                case "begin" -> begin = LocalDateTime.parse(in.text());
                case "end" -> end = LocalDateTime.parse(in.text());
                case "zone" -> zone = in.zone();
                default -> in.skip();
            }
        }
        if (begin != null && end != null) {
            return new Blackout(begin, end, DamagedRecordException.unlessNull(zone, "zone"));
        }
        return new Blackout(
                DamagedRecordException.unlessNull(first, "first"),
                DamagedRecordException.unlessNull(last, "last"),
                DamagedRecordException.unlessNull(zone, "zone"));
    }

    private static PostponementLimit allowance(JsonReader in) throws IOException {
        Integer times = null;
        Duration total = null;
        in.open();
        for (String name = in.member(); name != null; name = in.member()) {
            switch (name) {
                case "times" -> times = in.number();
                case "total" -> total = in.duration();
                default -> in.skip();
            }
        }
        return new PostponementLimit(
                DamagedRecordException.unlessNull(times, "times"), DamagedRecordException.unlessNull(total, "total"));
    }
}
