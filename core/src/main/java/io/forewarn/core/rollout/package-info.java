/** Work over many hosts or groups: what is wanted, how far it is, and when it would hit whom. The rules move it; it asks nobody. */
package io.forewarn.core.rollout;
