/** Reads history, the audit log and the notice report from the store. Used by the control API. */
package io.forewarn.server.history;
