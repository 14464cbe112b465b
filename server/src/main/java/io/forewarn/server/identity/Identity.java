package io.forewarn.server.identity;

import io.forewarn.core.engine.MachineView;
import io.forewarn.core.engine.PublishedState;

/** Identifies the calling machine in one way. The first one that applies to a request decides alone: there is no fallback. */
interface Identity {
    /** Whether it applies to the request. */
    boolean decides(IdentityRequest identityRequest);

    /** The machine; null if unknown. */
    MachineView machine(IdentityRequest identityRequest, PublishedState published);

    /** Whether the machine depends on the connection alone, so that it need not be determined for each request. */
    boolean perConnection();
}
