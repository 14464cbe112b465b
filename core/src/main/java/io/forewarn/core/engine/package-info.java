/**
 * One writer, one turn at a time, and the doors it works through: {@link io.forewarn.core.engine.Store},
 * {@link io.forewarn.core.engine.MaintenanceDriver}, {@link io.forewarn.core.engine.Clock}. What it published is in the view, which
 * readers use without waiting.
 */
package io.forewarn.core.engine;
