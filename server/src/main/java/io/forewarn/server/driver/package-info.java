/**
 * Drivers that do the maintenance work of events. They implement {@link io.forewarn.core.engine.MaintenanceDriver}; reports
 * go to the engine as {@link io.forewarn.core.rules.Command.Told}, each until the engine has accepted it.
 */
package io.forewarn.server.driver;
