/**
 * Drivers: what carries an event's work out. The engine comes in through {@link io.forewarn.core.engine.MaintenanceDriver}; reports
 * go out as {@link io.forewarn.core.rules.Command.Told}, each until the engine has taken it.
 */
package io.forewarn.server.driver;
