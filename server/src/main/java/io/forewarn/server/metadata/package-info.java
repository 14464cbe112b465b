/**
 * The metadata endpoint for machines: scheduled events, approvals, instance metadata. Reads the engine's published state,
 * and submits approvals, enablings and sightings to the engine.
 */
package io.forewarn.server.metadata;
