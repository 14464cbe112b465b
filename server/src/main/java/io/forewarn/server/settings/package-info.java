/**
 * Settings: one record per section, filled from defaults, file, environment and flags, in this order. Used by the
 * command line and {@code boot}.
 */
package io.forewarn.server.settings;
