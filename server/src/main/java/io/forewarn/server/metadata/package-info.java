/**
 * What a machine asks: its group's document, approvals, its own description. Machines come in over HTTP; the engine's view is
 * read, and the engine is asked to approve, to enable and to note sightings.
 */
package io.forewarn.server.metadata;
