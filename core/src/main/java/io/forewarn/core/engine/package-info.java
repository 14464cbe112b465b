/**
 * The single writer, which works in turns, and the interfaces it uses: {@link io.forewarn.core.engine.Store},
 * {@link io.forewarn.core.engine.MaintenanceDriver}, {@link io.forewarn.core.engine.Clock}. What it has published is in
 * {@link io.forewarn.core.engine.PublishedState}, which readers use without waiting.
 */
package io.forewarn.core.engine;
