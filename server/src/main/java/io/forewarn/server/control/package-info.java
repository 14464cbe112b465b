/**
 * What a person asks: the control API over HTTP. Reads come from the published view and never wait for the writer; commands
 * go to the engine. {@code boot} starts it and gives it the service's facts and hands on the clock.
 */
package io.forewarn.server.control;
