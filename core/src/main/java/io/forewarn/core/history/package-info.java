/** History entries. Written by the rules, read by the server's history. */
package io.forewarn.core.history;
