/** The machines, the groups that see each other's events, and how a fleet changes. Everyone reads it; it asks nobody. */
package io.forewarn.core.fleet;
