/**
 * The control API on the network: routes, JSON bodies, the fleet file. Shared by the server and the command
 * line, so that they cannot drift apart.
 */
package io.forewarn.wire.control;
