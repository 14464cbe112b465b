/**
 * The rules of maintenance and the one writer that applies them. Rules decide with state, command and time as
 * arguments; all effects go through the interfaces {@code Store}, {@code MaintenanceDriver} and {@code Clock}.
 * Depends on nothing but the JDK.
 */
package io.forewarn.core;
