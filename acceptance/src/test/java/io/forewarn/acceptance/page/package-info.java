/**
 * The page's own programs against a running service. Nothing is called from inside: processes and sockets only.
 */
package io.forewarn.acceptance.page;
