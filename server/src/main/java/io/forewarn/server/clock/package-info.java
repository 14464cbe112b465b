/**
 * Service time: the system clock, which checks the wall clock against elapsed time, so that a wrong wall clock has no
 * effect; the manual clock; and their control. Also used by the cluster's clock.
 */
package io.forewarn.server.clock;
