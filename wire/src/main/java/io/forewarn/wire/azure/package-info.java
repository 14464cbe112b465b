/**
 * Azure's formats: documents per api-version, approvals, instance metadata and errors, byte for byte as in the contract.
 * Used by the metadata endpoint.
 */
package io.forewarn.wire.azure;
