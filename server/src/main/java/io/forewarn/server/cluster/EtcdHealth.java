package io.forewarn.server.cluster;

import io.forewarn.server.log.Log;
import io.forewarn.server.log.LogLine;
import io.forewarn.store.etcd.EtcdMembers;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;

/**
 * The health of etcd's members at the last check, with a log line when one is lost or returns. A member that fails to answer
 * once may only have been busy; it counts as lost after two failures in a row. Only the writer logs. Any thread.
 */
final class EtcdHealth {
    private final BooleanSupplier logs;
    private final Log log;
    private final Set<String> silent = new HashSet<>();
    private final Set<String> lost = new HashSet<>();
    private volatile List<EtcdMembers.Member> last = List.of();

    /** @param logs whether this node is the one that logs */
    EtcdHealth(BooleanSupplier logs, Log log) {
        this.logs = logs;
        this.log = log;
    }

    /** @param members empty if they were not checked */
    synchronized void seen(List<EtcdMembers.Member> members) {
        if (members.isEmpty()) {
            return;
        }
        last = members;
        members.forEach(this::seen);
    }

    private void seen(EtcdMembers.Member member) {
        if (member.answers()) {
            silent.remove(member.url());
            if (lost.remove(member.url())) {
                log.write(line(LogLine.info("etcd-member-back"), member));
            }
        } else if (!silent.add(member.url()) && logs.getAsBoolean() && lost.add(member.url())) {
            log.write(line(LogLine.warning("etcd-member-lost"), member).with("reason", member.problem()));
        }
    }

    private static LogLine line(LogLine line, EtcdMembers.Member member) {
        return line.with("member", member.name()).with("url", member.url());
    }

    /** How many there are; NaN before the first check. */
    double members() {
        return last.isEmpty() ? Double.NaN : last.size();
    }

    /** How many of them responded. */
    double responding() {
        return last.isEmpty()
                ? Double.NaN
                : last.stream().filter(EtcdMembers.Member::answers).count();
    }
}
