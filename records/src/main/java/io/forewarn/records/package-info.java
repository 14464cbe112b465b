/** How state is written down: JSON with a format number. The engine comes in by {@code RecordFormat}; only Jackson goes out. */
package io.forewarn.records;
