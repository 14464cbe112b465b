/**
 * The audit log's records: who asked for what, from where, and what came of it, in pages each of which carries the hash of
 * the one before. The engine writes them; the store and whoever verifies read them.
 */
package io.forewarn.core.audit;
