/**
 * The one command, seen from a shell: built when it must be, once, and replaced by the program.
 * Comes in: a copy of the sources, as a fresh clone has them. Goes out: what {@code ./forewarn} printed and how it ended.
 */
package io.forewarn.acceptance.house;
