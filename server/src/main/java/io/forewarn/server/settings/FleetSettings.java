package io.forewarn.server.settings;

/**
 * Which machines there are at start.
 *
 * @param file a fleet file to apply at start; blank for none
 * @param prune also remove what the file does not name
 * @param demo make the demo fleet if the store is empty and no file is given
 */
public record FleetSettings(String file, boolean prune, boolean demo) {
    static final FleetSettings DEFAULTS = new FleetSettings("", false, true);
}
