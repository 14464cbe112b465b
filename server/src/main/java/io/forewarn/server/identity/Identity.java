package io.forewarn.server.identity;

import io.forewarn.core.engine.MachineView;
import io.forewarn.core.engine.PublishedState;

/** One way to know which machine is asking. The first that decides a call decides it alone: nothing falls through. */
interface Identity {
    /** Whether this way is the one to decide the request. */
    boolean decides(IdentityRequest identityRequest);

    /** The machine, or null if it is none we know. */
    MachineView machine(IdentityRequest identityRequest, PublishedState published);

    /** Whether the machine follows from the connection alone, so that it need not be asked again for each request. */
    boolean perConnection();
}
