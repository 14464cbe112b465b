/**
 * What happens to a real server when processes, disks and callers misbehave. Each test starts {@code ./forewarn serve} as a
 * process of its own and looks at it from outside only; {@code bench/faults} comes in for more rounds.
 */
package io.forewarn.acceptance.faults;
