package io.forewarn.server.control;

import io.forewarn.core.engine.Clock;
import io.forewarn.core.engine.CommandGateway;
import io.forewarn.core.rules.WorkDurations;
import io.forewarn.server.clock.ClockControl;
import io.forewarn.server.history.AuditLog;
import io.forewarn.server.history.History;
import io.forewarn.server.http.AcceptHook;
import io.forewarn.server.http.BodyBudget;
import io.forewarn.server.http.ConnectionQuota;
import io.forewarn.server.log.Log;
import io.forewarn.server.notification.Notifier;
import io.forewarn.wire.azure.PreviewOptions;
import io.forewarn.wire.control.SettingBody;
import io.forewarn.wire.control.TimeText;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.function.Supplier;

/**
 * Holds what the control API needs.
 *
 * @param clock service time
 * @param zone of times that name none
 * @param metrics the metrics in the Prometheus text format
 * @param log the operator's log
 * @param peers the other nodes
 * @param accepts shows TLS connections before their handshake
 * @param quota limits connections
 * @param bodies limits the memory for bodies
 * @param intake limits fleet files
 * @param sessionKey signs the sessions of browsers; the same at all nodes
 * @param previewOptions how documents of the preview are written
 * @param settings of this node
 * @param durations how long work takes, as the driver knows
 * @param machineTime the machine's clock, by which sessions end
 */
public record ControlParts(
        CommandGateway gateway,
        Clock clock,
        ZoneId zone,
        ClockControl clockControl,
        ServiceInfo facts,
        History history,
        AuditLog audit,
        Notifier notifier,
        Supplier<String> metrics,
        Log log,
        PeerNodes peers,
        AcceptHook accepts,
        ConnectionQuota quota,
        BodyBudget bodies,
        FleetIntake intake,
        byte[] sessionKey,
        PreviewOptions previewOptions,
        List<SettingBody> settings,
        WorkDurations durations,
        Supplier<Instant> machineTime) {
    /** The next such moment in service time. */
    Instant time(String what, String text) {
        return TimeText.parse(what, text, zone, clock.now().wall());
    }

    /** The last such moment in service time, or how long ago. */
    Instant pastTime(String what, String text) {
        return TimeText.parsePast(what, text, zone, clock.now().wall());
    }
}
