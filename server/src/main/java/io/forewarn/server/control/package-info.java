/**
 * The control API over HTTP. Reads use the published state and never wait for the writer; commands
 * go to the engine. Started by {@code boot}.
 */
package io.forewarn.server.control;
