/** How state is written down: JSON with a format number. The engine comes in by {@code Format}; only Jackson goes out. */
package io.forewarn.records;
