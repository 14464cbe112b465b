/** Machines, groups, tenants, and changes of the fleet. */
package io.forewarn.core.fleet;
