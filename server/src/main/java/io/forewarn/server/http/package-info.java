/**
 * What both listeners ask of HTTP beyond Vert.x. Connections come in from metadata and control, with stricter ears they go
 * out.
 */
package io.forewarn.server.http;
