package io.forewarn.server.metadata;

import io.forewarn.core.Actor;
import io.forewarn.core.engine.EventsDocument;
import io.forewarn.core.engine.MachineView;
import io.forewarn.core.engine.PublishedState;
import io.forewarn.core.event.EventId;
import io.forewarn.core.rules.Command;
import io.forewarn.server.http.ConnectionQuota;
import io.forewarn.server.identity.IdentityRequest;
import io.forewarn.wire.azure.ApiVersion;
import io.forewarn.wire.azure.DocumentJson;
import java.util.Set;

/** The machine that calls over a connection, remembered until the fleet changes. Used only by the event loop of the connection. */
final class PollingMachine {
    private final EndpointContext endpoint;
    private final String source;
    private MachineView machine;
    private RateLimiter limiter;
    private PublishedState knownIn;
    private long knownAt;
    private ConnectionQuota.Slot slot;
    private boolean counted;

    PollingMachine(EndpointContext endpoint, String source) {
        this.endpoint = endpoint;
        this.source = source;
    }

    /** Whose machine this is, as far as the connection tells; null for a stranger's. */
    String tenant(IdentityRequest connection) {
        counted = endpoint.ready && identify(connection);
        return counted ? machine.machine().id().tenant() : null;
    }

    /** @param its the connection's place among all */
    void holds(ConnectionQuota.Slot its) {
        slot = its;
    }

    /** The connection has ended. */
    void gone() {
        slot.release();
    }

    /** Whether the caller is a machine of the fleet. */
    boolean identify(IdentityRequest request) {
        PublishedState published = endpoint.gateway.view();
        long fleet = published.fleetVersion();
        if (machine != null && knownIn == published && knownAt == fleet) {
            return true;
        }
        machine = endpoint.callerResolver.machine(request, published);
        limiter = machine == null ? null : endpoint.allowance(machine.machine().id());
        knownIn = endpoint.callerResolver.perConnection(request) ? published : null;
        knownAt = fleet;
        if (machine != null && !counted && slot != null) {
            counted = true;
            slot.known(machine.machine().id().tenant()); // It came before its machine was in the fleet.
        }
        return machine != null;
    }

    /** As of the last {@link #identify}; null for a stranger. */
    MachineView machine() {
        return machine;
    }

    RateLimiter limiter() {
        return limiter;
    }

    /** Whether the machine may make one more request now. */
    boolean admitted() {
        return endpoint.settings.limits().requestsPerSecond() == 0 || limiter.admit(endpoint.elapsedNanos.getAsLong());
    }

    /** The machine gets this document. */
    void note(ApiVersion version, EventsDocument document) {
        boolean look = machine.polled(endpoint.coarseMillis.getAsLong(), version.text(), document.incarnation());
        if (!look || document.events().isEmpty()) {
            return;
        }
        String name = machine.machine().name();
        Set<EventId> unseen = machine.group().unseen(DocumentJson.visible(document, version), name);
        if (!unseen.isEmpty()) {
            endpoint.gateway.sighted(new Command.Sight(
                    machine.group().id(), name, unseen, endpoint.clock.now().wall(), actor()));
        }
    }

    /** Records a poll whose answer does not tell that the machine has read the document. */
    void noteUnread(ApiVersion version) {
        machine.polled(endpoint.coarseMillis.getAsLong(), version.text(), 0);
    }

    /** Records a request to the guest API, which is a poll as well. */
    void noteGuest() {
        machine.polled(endpoint.coarseMillis.getAsLong(), GuestApi.VERSION, 0);
    }

    Actor actor() {
        return Actor.machine(machine.machine().id().toString(), source);
    }
}
