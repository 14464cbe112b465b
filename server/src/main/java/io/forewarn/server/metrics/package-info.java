/**
 * What the service tells about itself: figures for Prometheus and one log line per decision. The engine comes in with each
 * commit; {@code control} takes the figures; nothing goes out but text.
 */
package io.forewarn.server.metrics;
