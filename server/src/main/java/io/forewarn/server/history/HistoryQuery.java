package io.forewarn.server.history;

import io.forewarn.core.event.EventId;
import io.forewarn.core.fleet.GroupId;
import io.forewarn.core.history.HistoryEntry;
import io.forewarn.core.notification.LogPosition;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Selects history entries.
 *
 * @param tenant null for all
 * @param group null for all
 * @param machine a name within the tenant; null for all
 * @param event null for all
 * @param rollout null for all
 * @param kinds names of entries; null for all
 * @param text only entries that contain it, in lower case; null for all
 * @param since only entries from then on
 * @param until only entries before then
 * @param after where an earlier read in the same order stopped; null to begin
 * @param limit maximum number of entries
 */
public record HistoryQuery(
        String tenant,
        GroupId group,
        String machine,
        EventId event,
        String rollout,
        Set<String> kinds,
        String text,
        Instant since,
        Instant until,
        LogPosition after,
        long limit,
        boolean oldestFirst) {
    /** Everything, newest first. */
    public static final HistoryQuery ALL = new HistoryQuery(
            null, null, null, null, null, null, null, Instant.MIN, Instant.MAX, null, Long.MAX_VALUE, false);

    public HistoryQuery about(String tenant, GroupId group, String machine, EventId event, String rollout) {
        return new HistoryQuery(
                tenant, group, machine, event, rollout, kinds, text, since, until, after, limit, oldestFirst);
    }

    public HistoryQuery between(Instant since, Instant until) {
        return new HistoryQuery(
                tenant, group, machine, event, rollout, kinds, text, since, until, after, limit, oldestFirst);
    }

    public HistoryQuery atMost(long limit) {
        return new HistoryQuery(
                tenant, group, machine, event, rollout, kinds, text, since, until, after, limit, oldestFirst);
    }

    public HistoryQuery oldestFirst(boolean oldestFirst) {
        return new HistoryQuery(
                tenant, group, machine, event, rollout, kinds, text, since, until, after, limit, oldestFirst);
    }

    public HistoryQuery after(LogPosition after) {
        return new HistoryQuery(
                tenant, group, machine, event, rollout, kinds, text, since, until, after, limit, oldestFirst);
    }

    public HistoryQuery about(Set<String> kinds, String text) {
        return new HistoryQuery(
                tenant, group, machine, event, rollout, kinds, text, since, until, after, limit, oldestFirst);
    }

    boolean wants(HistoryEntry entry) {
        return (tenant == null
                        || (entry.group() != null && tenant.equals(entry.group().tenant())))
                && (group == null || group.equals(entry.group()))
                && (machine == null || entry.machines().contains(machine))
                && (event == null || event.equals(entry.event()))
                && (rollout == null || rollout.equals(entry.rollout()))
                && (kinds == null || kinds.contains(entry.what()))
                && (text == null || mentions(entry))
                && !entry.at().isBefore(since)
                && entry.at().isBefore(until);
    }

    private boolean mentions(HistoryEntry entry) {
        return contains(entry.detail())
                || contains(entry.reason())
                || contains(entry.actor().name())
                || entry.group() != null && contains(entry.group().toString())
                || entry.rollout() != null && contains(entry.rollout())
                || entry.machines().stream().anyMatch(this::contains);
    }

    private boolean contains(String words) {
        return words.toLowerCase(Locale.ROOT).contains(text);
    }

    /** Words that every page with matching entries contains. */
    List<String> mentions() {
        List<String> words = new ArrayList<>();
        if (event != null) {
            words.add(event.toString());
        }
        if (machine != null) {
            words.add(machine);
        }
        if (group != null) {
            words.add(group.toString());
        } else if (tenant != null) {
            words.add(tenant + "/");
        }
        if (rollout != null) {
            words.add(rollout);
        }
        return words;
    }

    /** Index terms that every page with matching entries has; empty if there are none. */
    List<String> terms() {
        List<String> terms = new ArrayList<>();
        if (event != null) {
            terms.add(IndexTerm.event(event));
        }
        if (machine != null) {
            terms.add(IndexTerm.machine(machine));
        }
        if (group != null) {
            terms.add(IndexTerm.group(group));
        } else if (tenant != null) {
            terms.add(IndexTerm.tenant(tenant));
        }
        if (rollout != null) {
            terms.add(IndexTerm.rollout(rollout));
        }
        return terms;
    }
}
