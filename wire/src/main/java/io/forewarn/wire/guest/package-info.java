/**
 * The API for machines beyond Azure's, under {@code /forewarn/v1}: routes and JSON. Used by the metadata
 * endpoint.
 */
package io.forewarn.wire.guest;
