package io.forewarn.server.settings;

import io.forewarn.core.Problem;
import io.forewarn.core.RefusedException;

/**
 * Which machines there are at start.
 *
 * @param file a fleet file to apply at start; blank for none
 * @param prune also remove what the file does not name
 * @param demo make the demo fleet if the store is empty and no file is given
 * @param fileBytes the largest fleet file an operator may send
 * @param memoryPercent how much of the memory the service may have is for the fleet, what is being read of it included
 */
public record FleetSettings(String file, boolean prune, boolean demo, long fileBytes, int memoryPercent) {
    static final FleetSettings DEFAULTS = new FleetSettings("", false, true, 1L << 30, 85);

    public FleetSettings {
        if (memoryPercent < 1 || memoryPercent > 100) {
            throw new RefusedException(Problem.BAD_INPUT, "memory-percent must be from 1 to 100, not " + memoryPercent);
        }
    }
}
