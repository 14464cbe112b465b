package io.forewarn.server.settings;

import io.forewarn.core.Problem;
import io.forewarn.core.RefusedException;

/**
 * Settings of the fleet.
 *
 * @param file fleet file to apply at startup; blank for none
 * @param prune whether applying the file also removes machines and groups that it does not name
 * @param demo whether to create the demo fleet if the store is new and no file is given
 * @param demoFile fleet file to use as the demo fleet; blank for the built-in one
 * @param maxFileBytes largest fleet file that an operator may send
 * @param memoryPercent share of the service's memory that the fleet may use, including files being read
 */
public record FleetSettings(
        String file, boolean prune, boolean demo, String demoFile, long maxFileBytes, int memoryPercent) {
    static final FleetSettings DEFAULTS = new FleetSettings("", false, true, "", 1L << 30, 85);

    public FleetSettings {
        if (memoryPercent < 1 || memoryPercent > 100) {
            throw new RefusedException(Problem.BAD_INPUT, "memory-percent must be from 1 to 100, not " + memoryPercent);
        }
    }
}
