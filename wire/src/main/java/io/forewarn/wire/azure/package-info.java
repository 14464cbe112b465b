/**
 * Azure's spelling: documents per api-version, approvals, instance metadata, error texts, byte for byte as the contract.
 * The metadata endpoint comes in; nothing goes out.
 */
package io.forewarn.wire.azure;
