/**
 * The records of the audit log: who requested what, from where, and with what result, in pages that each contain the hash of
 * the previous one. Written by the engine.
 */
package io.forewarn.core.audit;
