/**
 * Attacks on a running service, one class each. {@code bench/attacks} runs them in full, an acceptance test runs them in small; each starts a
 * server of its own and talks to it as a stranger, a machine or a tenant could.
 */
package io.forewarn.bench.attack;
