/**
 * Puts the process together: real clocks, the writer's thread, the listeners. The command line and tests come in; every
 * other room is opened from here.
 */
package io.forewarn.server.boot;
