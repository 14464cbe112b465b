/**
 * What all endpoints of the service share on the network. Used by the server and the command line.
 */
package io.forewarn.wire;
