/**
 * What all faces of the service share on the network. The server and the command line come in; nothing goes out.
 */
package io.forewarn.wire;
