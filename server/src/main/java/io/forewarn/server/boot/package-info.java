/**
 * Assembles the process: real clocks, the writer's thread, the listeners. Used by the command line; uses every
 * other package.
 */
package io.forewarn.server.boot;
