package io.forewarn.cli;

import io.forewarn.wire.control.EtcdMemberBody;
import io.forewarn.wire.control.NodeBody;
import io.forewarn.wire.control.Route;
import io.forewarn.wire.control.StatusBody;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Prints the service status. */
@Command(
        name = "status",
        description = "Show service status.",
        footer = {"", "Examples:", "  forewarn status", "  forewarn status --json --url http://127.0.0.1:8170"})
final class StatusCommand implements Callable<Integer> {
    @Mixin
    private ServerCommand serverCommand;

    @Override
    public Integer call() {
        byte[] answer = serverCommand.client().bytes(Route.STATUS, List.of(), Map.of());
        return serverCommand.one(StatusBody.class, answer, s -> facts(s).print(serverCommand.out()));
    }

    private PropertyList facts(StatusBody s) {
        PropertyList propertyList = new PropertyList()
                .with(
                        "server",
                        serverCommand.client().url() + ", " + (s.ready() ? "ready" : "not ready") + ", up "
                                + s.uptime())
                .with("version", s.version())
                .with("clock", s.clock() + ", " + DisplayNames.time(s.now()))
                .with("clock problem", s.clockError())
                .with("store", s.store())
                .with("store error", s.storeError())
                .with(
                        "fleet",
                        DisplayNames.count(s.machines(), "machine") + " in " + DisplayNames.count(s.groups(), "group"))
                .with("open events", s.events() == null || s.events().isEmpty() ? "none" : s.events())
                .with("waiting commands", s.queueDepth())
                .with("epoch", s.epoch())
                .with(
                        "writer",
                        s.nodes() == null || s.nodes().isEmpty() ? null : s.writer() == null ? "none" : s.writer())
                .with("nodes", nodes(s))
                .with("heard from writer", s.lag() == null ? null : s.lag() + " ago")
                .with("cannot forward", s.forwardingError())
                .with("listens", s.listeners());
        if (s.etcd() != null) {
            s.etcd().forEach(m -> propertyList.with(m.name() == null ? "etcd" : "etcd " + m.name(), etcd(m)));
        }
        return propertyList;
    }

    private static String etcd(EtcdMemberBody member) {
        if (!member.responding()) {
            return "not responding: " + member.problem();
        }
        return member.url() + (member.leader() ? ", leader" : "") + ", " + DisplayNames.size(member.databaseBytes())
                + (member.revisionsBehind() > 0
                        ? ", " + DisplayNames.count(member.revisionsBehind(), "change") + " behind"
                        : "")
                + (member.problem() == null ? "" : ", alarm: " + member.problem());
    }

    private static String nodes(StatusBody status) {
        return status.nodes() == null || status.nodes().isEmpty()
                ? null
                : status.nodes().stream().map(StatusCommand::node).collect(Collectors.joining(", "));
    }

    private static String node(NodeBody node) {
        return node.control()
                + (node.version() == null ? "" : " " + node.version())
                + (node.writer() ? " (writer)" : "")
                + (node.self() ? " (this one)" : "")
                + (node.problem() == null ? "" : " (too old: " + node.problem() + ")")
                + (node.differingSettings() == null ? "" : " (other settings: " + node.differingSettings() + ")")
                + (node.clockOffset() == null ? "" : " (clock off by " + node.clockOffset() + ")");
    }
}
