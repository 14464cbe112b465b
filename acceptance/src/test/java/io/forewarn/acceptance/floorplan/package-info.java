/**
 * The floor plan: which room may open which door, and how things are named.
 * Comes in: the compiled classes of every module. Goes out: a red test that names the wrong door.
 */
package io.forewarn.acceptance.floorplan;
