/**
 * The control API as it looks on the network: routes, JSON bodies, the fleet file. The server answers by it and the command
 * line asks by it, so they cannot drift apart. Nothing goes out but Jackson.
 */
package io.forewarn.wire.control;
