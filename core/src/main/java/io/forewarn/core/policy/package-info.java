/**
 * What owners decide about maintenance of their machines: policies, maintenance windows, and which of several applies. The
 * rules and the wire come in; nothing goes out.
 */
package io.forewarn.core.policy;
