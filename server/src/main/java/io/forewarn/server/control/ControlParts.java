package io.forewarn.server.control;

import io.forewarn.core.engine.Clock;
import io.forewarn.core.engine.CommandGateway;
import io.forewarn.server.clock.ClockControl;
import io.forewarn.server.history.AuditLog;
import io.forewarn.server.history.History;
import io.forewarn.server.http.AcceptHook;
import io.forewarn.server.http.BodyBudget;
import io.forewarn.server.http.ConnectionQuota;
import io.forewarn.server.log.Log;
import io.forewarn.server.notification.Notifier;
import java.util.function.Supplier;

/**
 * What the control API works with.
 *
 * @param clock service time
 * @param metrics the text Prometheus reads
 * @param log takes lines for the operator
 * @param peers the other nodes
 * @param accepts shows TLS connections before their handshake
 * @param quota who may be connected
 * @param bodies how much of bodies may be in memory
 * @param intake how much of a fleet file is taken from whom
 */
public record ControlParts(
        CommandGateway desk,
        Clock clock,
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
        FleetIntake intake) {}
