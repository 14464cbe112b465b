/** The stored form of state: JSON with a format number. Implements {@code RecordFormat} for the engine. */
package io.forewarn.records;
