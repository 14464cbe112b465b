/**
 * The OpenAPI description of both APIs, generated from the route tables and the body records. Used by the control
 * API.
 */
package io.forewarn.wire.openapi;
