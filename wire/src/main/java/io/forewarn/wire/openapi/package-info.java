/**
 * Both APIs in the OpenAPI language, made from the route tables and the records of their bodies. The control API comes in for the
 * document; nothing but these tables goes out.
 */
package io.forewarn.wire.openapi;
