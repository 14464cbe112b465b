/**
 * What a machine can ask beyond the page, under {@code /forewarn/v1}: paths and JSON. The metadata endpoint comes in; nothing
 * but words and durations goes out.
 */
package io.forewarn.wire.guest;
