/**
 * The JSON that the operator's program reads. Used by the command driver.
 */
package io.forewarn.wire.driver;
