/**
 * What the service tells whoever runs it, one line at a time and in one format whoever speaks. All rooms of the server come in;
 * nothing goes out but text.
 */
package io.forewarn.server.log;
