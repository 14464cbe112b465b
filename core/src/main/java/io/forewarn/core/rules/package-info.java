/**
 * What is allowed and what follows from it, decided from state, command and time alone: no I/O, no clock, no threads. Called by
 * the engine and by simulations; calls nothing outside.
 */
package io.forewarn.core.rules;
