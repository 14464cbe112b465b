/**
 * What an operator may set: one record per part, filled from defaults, file, environment and flags, in this order. The
 * command line comes in with what it was given; {@code boot} takes the result.
 */
package io.forewarn.server.settings;
