/**
 * Service time: the system's clock, which judges the wall by time that really passes, so that a wall that is set wrong moves nothing; the
 * manual clock and what moves it; and how people set either. The cluster's clock uses its parts. Uses core and settings.
 */
package io.forewarn.server.clock;
