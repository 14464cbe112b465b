/**
 * Prometheus metrics and the log of decisions. Listens to the engine's
 * commits; {@code control} serves the metrics.
 */
package io.forewarn.server.metrics;
