/**
 * Service time on the system's clock: judges the wall by time that really passes, so that a wall that is set wrong moves nothing. Boot
 * makes it for a service on its own, the cluster's clock uses its parts. Uses core.
 */
package io.forewarn.server.clock;
