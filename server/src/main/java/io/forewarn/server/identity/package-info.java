/**
 * Identification of the calling machine, one class for each way. Used by the metadata endpoint; looks machines up in
 * the published fleet.
 */
package io.forewarn.server.identity;
