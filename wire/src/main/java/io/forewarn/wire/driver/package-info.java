/**
 * How an event looks to the operator's program. The command driver comes in with a task; JSON goes out.
 */
package io.forewarn.wire.driver;
