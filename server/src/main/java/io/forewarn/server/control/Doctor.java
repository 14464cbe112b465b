package io.forewarn.server.control;

import io.forewarn.core.RefusedException;
import io.forewarn.core.engine.GroupView;
import io.forewarn.core.engine.PublishedState;
import io.forewarn.core.fleet.Machine;
import io.forewarn.core.rules.MachineCondition;
import io.forewarn.server.settings.ClusterSettings;
import io.forewarn.wire.control.EtcdMemberBody;
import io.forewarn.wire.control.FindingsBody;
import io.forewarn.wire.control.FindingsBody.Finding;
import io.forewarn.wire.control.HostPort;
import io.forewarn.wire.control.NodeBody;
import java.net.URI;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Diagnoses a running service and suggests fixes. */
final class Doctor {
    private static final int TOLD = 20;

    private final ControlParts parts;
    private final TlsFiles tls;
    private final List<Finding> findings = new ArrayList<>();

    Doctor(ControlParts parts, TlsFiles tls) {
        this.parts = parts;
        this.tls = tls;
    }

    /** @param etcd the members of etcd; null if the store is not etcd */
    FindingsBody findings(List<EtcdMemberBody> etcd) {
        PublishedState published = parts.gateway().view();
        Instant now = parts.clock().now().wall();
        parts.gateway()
                .trouble()
                .ifPresent(e -> findings.add(new Finding(
                        "store",
                        e.getMessage(),
                        (etcd == null
                                        ? "free space, make it writable, or restore it"
                                        : "bring etcd back, or make it accept writes of this node; 'etcdctl endpoint status"
                                                + " --cluster' shows its state")
                                + "; writes are refused until then")));
        if (etcd != null) {
            etcd.stream().filter(member -> member.problem() != null).forEach(this::etcd);
        }
        parts.peers().nodes().stream().filter(node -> node.problem() != null).forEach(this::node);
        parts.peers().nodes().stream()
                .filter(node -> node.differingSettings() != null)
                .forEach(this::settings);
        if (etcd != null) {
            address(etcd);
        }
        parts.peers()
                .forwardingError()
                .ifPresent(
                        why -> findings.add(
                                new Finding(
                                        "node",
                                        "this node cannot forward anything to the writer, not even polls of machines: "
                                                + why,
                                        "check that each node's control API can be reached by the others, with TLS on all of them or none")));
        tls.finding(parts.facts().addresses().get(1), now).ifPresent(findings::add);
        clock(now);
        silent(published, now);
        addresses(published);
        failed(published);
        return new FindingsBody(findings);
    }

    private void etcd(EtcdMemberBody member) {
        findings.add(
                member.responding()
                        ? new Finding(
                                "etcd",
                                "etcd's member at " + member.url() + " has an alarm: " + member.problem(),
                                "see 'etcdctl endpoint status --cluster' and 'etcdctl alarm list'")
                        : new Finding(
                                "etcd",
                                member.problem(),
                                "bring that member back; the others continue as long as they are a majority"));
    }

    private void node(NodeBody node) {
        findings.add(new Finding(
                "node",
                "node " + node.control() + (node.version() == null ? "" : " of release " + node.version())
                        + " is too old: " + node.problem(),
                "upgrade it, one release at a time"));
    }

    private void settings(NodeBody node) {
        findings.add(new Finding(
                "node",
                "node " + node.control()
                        + " has different settings, so that decisions depend on which node is the writer: "
                        + node.differingSettings(),
                "start all nodes with the same settings"));
    }

    private void address(List<EtcdMemberBody> etcd) {
        List<URI> urls = etcd.stream().map(member -> URI.create(member.url())).toList();
        parts.peers().nodes().stream()
                .filter(NodeBody::self)
                .flatMap(node -> HostPort.parse(node.control()).stream())
                .flatMap(node -> ClusterSettings.doubt(node, urls).stream())
                .forEach(why -> findings.add(new Finding("node", why, ClusterSettings.REACHABLE)));
    }

    private void clock(Instant now) {
        parts.clockControl()
                .trouble()
                .ifPresent(why -> findings.add(new Finding(
                        "clock",
                        why,
                        "correct the machine's clock and keep it synchronized with NTP; if it is right, 'forewarn clock repair' makes"
                                + " the service follow it now")));
        parts.peers().nodes().stream()
                .filter(node -> node.clockOffset() != null)
                .forEach(node -> findings.add(new Finding(
                        "clock",
                        "the clock of node " + node.control() + " differs by " + node.clockOffset()
                                + " from the cluster's time",
                        "correct that machine's clock and keep it synchronized with NTP; if the cluster's time is wrong,"
                                + " 'forewarn clock repair' sets it to the clock of the majority of nodes")));
        newest().filter(last -> last.isAfter(now.plusSeconds(1)))
                .ifPresent(last -> findings.add(new Finding(
                        "clock",
                        "the clock says " + now + ", but something was recorded at " + last,
                        "correct the machine's clock and keep it synchronized with NTP")));
    }

    private Optional<Instant> newest() {
        try {
            return parts.history().newest();
        } catch (RefusedException unreadable) {
            if (parts.gateway().trouble().isEmpty()) {
                findings.add(new Finding("store", unreadable.getMessage(), "bring it back, or restore it"));
            }
            return Optional.empty();
        }
    }

    private void silent(PublishedState published, Instant now) {
        List<GroupView> silent = published.allGroups().stream()
                .filter(g -> g.group() != null && g.state().isEnabled())
                .filter(g -> "silent".equals(BodyMapper.polling(g.lastPoll(), now)))
                .sorted((a, b) -> a.id().compareTo(b.id()))
                .toList();
        if (silent.size() == 1) {
            GroupView group = silent.get(0);
            findings.add(new Finding(
                    "group",
                    "group " + group.id() + " has not polled since " + seconds(group.lastPoll()),
                    "check that the handler runs on its machines: forewarn vm list --group " + group.id()));
        } else if (!silent.isEmpty()) {
            long last = silent.stream().mapToLong(GroupView::lastPoll).max().orElseThrow();
            findings.add(new Finding(
                    "group",
                    silent.size() + " groups that polled before have not polled since " + seconds(last) + " or earlier",
                    "check that the handler runs on their machines: forewarn vm list --polling silent"));
        }
    }

    private static Instant seconds(long millis) {
        return Instant.ofEpochSecond(millis / 1000);
    }

    private void addresses(PublishedState published) {
        Map<String, Machine> owners = new HashMap<>();
        published.allMachines().forEach(m -> m.machine().addresses().forEach(address -> {
            Machine other = owners.putIfAbsent(address, m.machine());
            if (other != null && findings.size() < TOLD) {
                findings.add(new Finding(
                        "address",
                        "address " + address + " belongs to " + other.id() + " and to "
                                + m.machine().id(),
                        "remove it from one of them in the fleet file and apply that"));
            }
        }));
    }

    private void failed(PublishedState published) {
        published.allMachines().stream()
                .filter(m -> m.condition() != null && m.condition().state() == MachineCondition.State.FAILED)
                .limit(TOLD)
                .forEach(m -> findings.add(new Finding(
                        "machine",
                        "work on " + m.machine().id() + " failed: "
                                + m.condition().detail(),
                        "see what the driver reported: forewarn history --machine "
                                + m.machine().id())));
    }
}
