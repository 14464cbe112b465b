/**
 * Measures the running service against peers and limits, from outside. {@code bench/run} comes in; a table goes out. The
 * only room besides boot that reads the machine's clock: measuring is its trade.
 */
package io.forewarn.bench;
