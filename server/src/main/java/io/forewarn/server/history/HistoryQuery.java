package io.forewarn.server.history;

import io.forewarn.core.event.EventId;
import io.forewarn.core.fleet.GroupId;
import io.forewarn.core.rules.Entry;
import java.time.Instant;

/**
 * Which part of history.
 *
 * @param tenant null for all
 * @param group null for all
 * @param machine a name within the tenant; null for all
 * @param event null for all
 * @param since nothing older
 * @param limit nothing beyond so many entries
 */
public record HistoryQuery(
        String tenant, GroupId group, String machine, EventId event, Instant since, long limit, boolean oldestFirst) {

    boolean wants(Entry entry) {
        return (tenant == null
                        || (entry.group() != null && tenant.equals(entry.group().tenant())))
                && (group == null || group.equals(entry.group()))
                && (machine == null || entry.machines().contains(machine))
                && (event == null || event.equals(entry.event()))
                && !entry.at().isBefore(since);
    }
}
