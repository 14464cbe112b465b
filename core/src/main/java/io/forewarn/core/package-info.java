/**
 * The rules of maintenance and the one writer that applies them. Rules decide with state, command and time as
 * arguments; everything that touches the world comes in through a door: {@code Store}, {@code MaintenanceDriver}, {@code Clock}.
 * Servers, stores and tests come in; nothing but the JDK goes out.
 */
package io.forewarn.core;
