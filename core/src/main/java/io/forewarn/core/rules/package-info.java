/**
 * What is allowed and what follows, decided from state, command and time alone: no I/O, no clock, no threads. The engine
 * and the simulator come in; nothing goes out.
 */
package io.forewarn.core.rules;
