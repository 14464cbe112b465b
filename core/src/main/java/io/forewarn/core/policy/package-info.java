/**
 * Policies and maintenance windows, and which of several applies. Used by the
 * rules and the wire formats.
 */
package io.forewarn.core.policy;
