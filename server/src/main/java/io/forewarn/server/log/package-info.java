/**
 * The log for operators, used by all packages of the
 * server.
 */
package io.forewarn.server.log;
