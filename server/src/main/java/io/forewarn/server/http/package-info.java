/**
 * HTTP checks and limits beyond Vert.x, used by the metadata and control
 * listeners.
 */
package io.forewarn.server.http;
